import { useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { tagKeys, type Tag, type TagPages } from './api';
import { foldTagged, foldTagPages, foldTags, type TagEvent } from './fold';

interface TicketRow {
  tags: Pick<Tag, 'id' | 'name' | 'color' | 'kanban'>[];
}

/** What the cache of tickets holds under one key: pages of lists, lanes of the board, one ticket. */
type CachedTickets = InfiniteData<{ tickets?: TicketRow[] }> | TicketRow | unknown[] | object;

function foldTickets(cached: CachedTickets, event: TagEvent): CachedTickets {
  if ('tags' in cached) return foldTagged(cached, event);
  if (!('pages' in cached)) return cached;
  return {
    ...cached,
    pages: cached.pages.map((page) => {
      const tickets = page.tickets?.map((ticket) => foldTagged(ticket, event));
      const changed = tickets?.some((ticket, index) => ticket !== page.tickets?.[index]);
      return changed ? { ...page, tickets } : page;
    }),
  };
}

/** Folds one tag event into every cached list of tags, and into the tickets that carry the tag. */
export function applyTagEvent(client: QueryClient, event: TagEvent) {
  changeQueries<Tag[] | TagPages>(client, tagKeys.all, (cached) =>
    Array.isArray(cached) ? foldTags(cached, event) : foldTagPages(cached, event),
  );
  // A new tag's place among the pages, and a renamed one's, is the server's to say.
  if (event.action !== 'delete') void client.invalidateQueries({ queryKey: tagKeys.pages });
  if (event.action === 'create') return;
  for (const key of ['tickets', 'kanban'])
    changeQueries<CachedTickets>(client, [key], (cached) => foldTickets(cached, event));
}

/** Keeps tags, and the tickets that carry them, in step with the live events while mounted. */
export function useTagEvents() {
  const client = useQueryClient();
  useCompanyEvent<TagEvent>('tag', (event) => applyTagEvent(client, event));
}
