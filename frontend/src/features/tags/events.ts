import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { tagKeys } from './api';
import { foldTagPages, foldTags } from './fold';
import type { Tag, TagPages } from './types';

/** Lists of rows that show their tags. */
const SHOWING_TAGS = ['tickets', 'kanban'];

/** Folds one tag event into every cached list of tags. */
export function applyTagEvent(client: QueryClient, event: LiveEvent<'tag'>) {
  changeQueries<Tag[] | TagPages>(client, tagKeys.all, (cached) =>
    Array.isArray(cached) ? foldTags(cached, event) : foldTagPages(cached, event),
  );
  // A new tag's place among the pages, and a renamed one's, is the server's to say.
  if (event.action !== 'delete') void client.invalidateQueries({ queryKey: tagKeys.pages });
  if (event.action === 'create') return;
  for (const key of SHOWING_TAGS) void client.invalidateQueries({ queryKey: [key] });
}

/** Keeps tags in step with the live events while mounted. */
export function useTagEvents() {
  const client = useQueryClient();
  useCompanyEvent('tag', (event) => applyTagEvent(client, event));
}
