import {
  infiniteQueryOptions,
  notifyManager,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import {
  PAGE_SIZE,
  queryOf,
  setLane,
  storeTicket,
  useReader,
  type Reader,
  type Ticket,
  type TicketPages,
  type TicketsPage,
} from '@/features/tickets/api';
import { api } from '@/lib/api/client';
import { nextPageByRows } from '@/lib/api/pages';
import type { components } from '@/lib/api/schema';
import { changeQueries } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { foldIntoLane } from './fold';
import { inLane, inOrder, laneOf } from './lanes';
import type { BoardFilters, Lane } from './types';

type Schemas = components['schemas'];

const boardKey = ['kanban'] as const;
export const lanesKey = ['kanban', 'lanes'] as const;
export const laneKey = ['kanban', 'lane'] as const;

export const lanesQuery = () =>
  queryOptions({
    queryKey: lanesKey,
    queryFn: async ({ signal }) => {
      const { lista } = await api.get<Schemas['TagLanes']>('/tags/kanban', undefined, signal);
      return inOrder(lista.map(({ id, name, color }): Lane => ({ id, name, color })));
    },
  });

/** The tickets of one lane, OPEN_LANE or a kanban tag's, page by page. */
export const laneQuery = (laneId: number, filters: BoardFilters) =>
  infiniteQueryOptions({
    queryKey: [...laneKey, laneId, filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<TicketsPage>(
        '/ticket/kanban',
        { ...queryOf(filters), laneId, pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last: TicketsPage, pages: TicketsPage[]) =>
      nextPageByRows(
        last,
        pages.flatMap((page) => page.tickets),
        PAGE_SIZE,
      ),
  });

/** Changes every cached lane. */
export function eachLane(
  client: QueryClient,
  change: (pages: TicketPages, laneId: number, filters: BoardFilters) => TicketPages,
) {
  changeQueries<TicketPages>(client, laneKey, (pages, [, , laneId, filters]) =>
    change(pages, laneId as number, filters as BoardFilters),
  );
}

interface Move {
  ticket: Ticket;
  /** null: out of all lanes. */
  lane: Lane | null;
}

const MOVE = ['kanban', 'move'] as const;

/** The target of a ticket's last pending move; undefined if there is none. */
function targetOf(client: QueryClient, ticketId: number, except?: Move): Move | undefined {
  return client
    .getMutationCache()
    .findAll({ mutationKey: MOVE, status: 'pending' })
    .map(({ state }) => state.variables as Move)
    .findLast((move) => move.ticket.id === ticketId && move !== except);
}

/** The number of tickets in all lanes; null until all are loaded. */
export function useTicketTotal(laneIds: readonly number[], filters: BoardFilters): number | null {
  const client = useQueryClient();
  const total = () => {
    let sum = 0;
    for (const laneId of laneIds) {
      const first = client.getQueryData(laneQuery(laneId, filters).queryKey)?.pages[0];
      if (!first) return null;
      sum += first.count;
    }
    return sum;
  };
  const subscribe = useCallback(
    (changed: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
    [client],
  );
  return useSyncExternalStore(subscribe, total);
}

/** A ticket from the cached lanes. */
export function cardOf(client: QueryClient, ticketId: number): Ticket | undefined {
  return client
    .getQueriesData<TicketPages>({ queryKey: laneKey })
    .flatMap(([, pages]) => pages?.pages ?? [])
    .flatMap(({ tickets }) => tickets)
    .find(({ id }) => id === ticketId);
}

/** Stores a ticket's state from the server on the board, unless a newer one is cached. */
export function storeOnBoard(client: QueryClient, told: Ticket, reader: Reader, except?: Move) {
  const known = cardOf(client, told.id);
  if (known && known.updatedAt > told.updatedAt) return;
  // An event during a pending move must not put the card back.
  const move = targetOf(client, told.id, except);
  const ticket = move ? inLane(told, move.lane) : told;
  eachLane(client, (pages, laneId, filters) =>
    foldIntoLane(pages, ticket, laneId, filters, reader),
  );
}

/** Moves a card optimistically; a refusal puts it back and is reported. */
export function useMoveCard() {
  const client = useQueryClient();
  const reader = useReader();
  return useMutation({
    mutationKey: MOVE,
    // One after the other, so that the last of two moves of a card is also the last at the server.
    scope: { id: 'kanban-move' },
    mutationFn: ({ ticket, lane }: Move) => setLane(ticket.id, lane?.id ?? null),
    onMutate: ({ ticket, lane }) => {
      const now = cardOf(client, ticket.id) ?? ticket;
      storeOnBoard(client, inLane(now, lane), reader);
      const before = now.tags.find(({ id }) => id === laneOf(now));
      return { before: before ?? null };
    },
    onSuccess: (ticket, move) => {
      storeOnBoard(client, ticket, reader, move);
      storeTicket(client, ticket, reader);
    },
    onError: (error, move, context) => {
      const now = cardOf(client, move.ticket.id);
      if (now && context) storeOnBoard(client, inLane(now, context.before), reader, move);
      toast.error(error);
      // The ticket, the lane or the right to move may be gone: fetch the current state.
      void client.invalidateQueries({ queryKey: boardKey });
    },
  });
}
