import { useQueryClient } from '@tanstack/react-query';
import { useCompanyEvent } from '@/lib/socket';
import type { QuickMessage } from './api';
import { quickMessageKeys } from './keys';

export type QuickMessageEvent =
  { action: 'create' | 'update'; record: QuickMessage } | { action: 'delete'; id: number };

const byShortcode = (left: QuickMessage, right: QuickMessage) =>
  left.shortcode.localeCompare(right.shortcode) || left.id - right.id;

/** The list of those switched on, after an event; one older than what is known changes nothing. */
export function foldQuickMessage(
  list: readonly QuickMessage[],
  event: QuickMessageEvent,
): QuickMessage[] {
  const id = event.action === 'delete' ? event.id : event.record.id;
  const others = list.filter((each) => each.id !== id);
  if (event.action === 'delete') return others;
  const { record } = event;
  const known = list.find((each) => each.id === id);
  if (known && known.updatedAt > record.updatedAt) return [...list];
  return record.status ? [...others, record].sort(byShortcode) : others;
}

/** Keeps what is offered while writing up to date; the page's lists are asked for again. */
export function useQuickMessageEvents() {
  const client = useQueryClient();
  useCompanyEvent<QuickMessageEvent>('quickmessage', (event) => {
    client.setQueryData<QuickMessage[]>(
      quickMessageKeys.options,
      (list) => list && foldQuickMessage(list, event),
    );
    void client.invalidateQueries({ queryKey: quickMessageKeys.pages });
  });
}
