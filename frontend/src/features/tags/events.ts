import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { tagKeys } from './api';
import { foldTagPages, foldTags } from './fold';
import type { Tag, TagPages } from './types';

/** The query keys of lists whose rows show tags. */
const SHOWING_TAGS = ['tickets', 'kanban'];

/** Folds one tag event into every cached list of tags. */
export function applyTagEvent(client: QueryClient, event: LiveEvent<'tag'>) {
  changeQueries<Tag[] | TagPages>(client, tagKeys.all, (cached) =>
    Array.isArray(cached) ? foldTags(cached, event) : foldTagPages(cached, event),
  );
  // Only the server knows the place of a new or renamed tag in the pages.
  if (event.action !== 'delete') void client.invalidateQueries({ queryKey: tagKeys.pages });
  if (event.action === 'create') return;
  for (const key of SHOWING_TAGS) void client.invalidateQueries({ queryKey: [key] });
}

/** Updates the tags on live events while mounted. */
export function useTagEvents() {
  const client = useQueryClient();
  useCompanyEvent('tag', (event) => applyTagEvent(client, event));
}
