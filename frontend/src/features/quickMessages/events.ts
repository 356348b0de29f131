import { useQueryClient } from '@tanstack/react-query';
import { withoutRow, withRow } from '@/lib/api/rows';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { quickMessageKeys } from './keys';
import type { QuickMessage } from './types';

const byShortcode = (left: QuickMessage, right: QuickMessage) =>
  left.shortcode.localeCompare(right.shortcode) || left.id - right.id;

/** The active quick messages after an event; an event older than the cached version is ignored. */
export const foldQuickMessage = (
  list: QuickMessage[],
  event: LiveEvent<'quickmessage'>,
): QuickMessage[] =>
  event.action === 'delete'
    ? withoutRow(list, event.id)
    : withRow(list, event.record, byShortcode).filter(({ status }) => status);

/** Updates the active quick messages on live events while mounted, and refetches the pages. */
export function useQuickMessageEvents() {
  const client = useQueryClient();
  useCompanyEvent('quickmessage', (event) => {
    changeQueries<QuickMessage[]>(client, quickMessageKeys.options, (list) =>
      foldQuickMessage(list, event),
    );
    void client.invalidateQueries({ queryKey: quickMessageKeys.pages });
  });
}
