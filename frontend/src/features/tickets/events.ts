import { useEffect, useRef } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import {
  deadlineStep,
  foldTicket,
  isUnsure,
  leavesList,
  mayHaveLeft,
  messageStep,
  onlyBelonging,
  patchTickets,
  readTicket,
  removeTicket,
  type RowChange,
  type NewMessage,
} from './fold';
import { recount } from './api';
import { relatedRowChange, foldRelated, isUnsureAfterRelated, type RelatedChange } from './related';
import type { Reader, Ticket, TicketFilters, TicketPages, TicketStatus } from './types';
import { useRelatedEvents } from './useRelatedEvents';
import { useReader } from './useReader';

/** Applies a change to every cached list. */
function eachList(
  client: QueryClient,
  change: (pages: TicketPages, filters: TicketFilters) => TicketPages,
) {
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages, [, , filters]) =>
    change(pages, filters as TicketFilters),
  );
}

/** Applies a change to the tickets that are cached by uuid. */
function eachTicket(client: QueryClient, { picks, patch }: RowChange) {
  changeQueries<Ticket>(client, ['tickets', 'uuid'], (known) =>
    picks(known) ? patch(known) : known,
  );
}

const AGAIN_MS = 500;
const fetchedAgain = new Set<string>();

/**
 * Fetches the lists that the predicate picks, because only the server knows their content. Many
 * events at once cause one fetch.
 */
function fetchAgain(
  client: QueryClient,
  picks: (pages: TicketPages, filters: TicketFilters) => boolean,
) {
  const found = client.getQueryCache().findAll({
    queryKey: ['tickets', 'list'],
    predicate: ({ queryKey, state }) =>
      state.data !== undefined && picks(state.data as TicketPages, queryKey[2] as TicketFilters),
  });
  if (found.length === 0) return;
  if (fetchedAgain.size === 0)
    setTimeout(() => {
      const hashes = new Set(fetchedAgain);
      fetchedAgain.clear();
      void client.invalidateQueries({
        queryKey: ['tickets', 'list'],
        predicate: ({ queryHash }) => hashes.has(queryHash),
      });
    }, AGAIN_MS);
  for (const { queryHash } of found) fetchedAgain.add(queryHash);
}

/** Applies a ticket event to the cache; `message` is the new message that came with it. */
export function applyTicketEvent(
  client: QueryClient,
  event: LiveEvent<'ticket'>,
  reader: Reader,
  message?: NewMessage,
) {
  switch (event.action) {
    case 'update': {
      const { ticket } = event;
      eachList(client, (pages, filters) => foldTicket(pages, ticket, filters, reader, message));
      // If a message came with the event, it shows by itself whether the search matches.
      if (!message)
        fetchAgain(client, (pages, filters) => isUnsure(pages, ticket, filters, reader));
      eachTicket(client, {
        picks: (known) => known.id === ticket.id && known.updatedAt <= ticket.updatedAt,
        patch: () => ticket,
      });
      break;
    }
    case 'delete':
      fetchAgain(client, (pages, filters) =>
        mayHaveLeft(pages, filters, event.ticketId, event.oldStatus),
      );
      eachList(client, (pages, filters) =>
        leavesList(filters, event.oldStatus) ? removeTicket(pages, event.ticketId) : pages,
      );
      break;
    case 'updateUnread':
      eachList(client, (pages, filters) =>
        onlyBelonging(pages, patchTickets(pages, readTicket(event.ticketId)), filters, reader),
      );
      eachTicket(client, readTicket(event.ticketId));
  }
}

/**
 * Applies a message event to the rows: a new message moves its ticket, a status changes the tick.
 */
export function applyMessageEvent(
  client: QueryClient,
  event: LiveEvent<'appMessage'>,
  reader: Reader,
) {
  const { message } = event;
  if (event.action === 'create') {
    applyTicketEvent(client, { action: 'update', ticket: event.ticket }, reader, message);
    return;
  }
  const step = messageStep(message);
  eachList(client, (pages) => patchTickets(pages, step));
  eachTicket(client, step);
}

/** Shows a ticket's nearest deadline, and moves it in the list that is sorted by it. */
export function applyDeadline(client: QueryClient, event: LiveEvent<'ticketDeadline'>) {
  const step = deadlineStep(event);
  // A row that is not loaded may come before those that are.
  fetchAgain(
    client,
    (pages, filters) =>
      filters.order === 'nearest_deadline' &&
      !pages.pages.some(({ tickets }) => tickets.some(({ id }) => id === event.ticketId)),
  );
  eachList(client, (pages) => patchTickets(pages, step));
  eachTicket(client, step);
}

/** Applies the change of a contact, queue, connection, user or tag to the rows that show it. */
export function applyRelated(client: QueryClient, change: RelatedChange, reader: Reader) {
  fetchAgain(client, (pages, filters) => isUnsureAfterRelated(pages, change, filters));
  eachList(client, (pages, filters) =>
    onlyBelonging(pages, foldRelated(pages, change), filters, reader),
  );
  eachTicket(client, relatedRowChange(change));
}

/** Fetches the lists of a status and the counts, because events before the join were missed. */
function refetchLists(client: QueryClient, status: TicketStatus) {
  void client.invalidateQueries({
    queryKey: ['tickets', 'list'],
    predicate: ({ queryKey: [, , filters] }) => (filters as TicketFilters).status === status,
  });
  recount(client);
}

/** Keeps lists, counts and the open ticket up to date with the live events while mounted. */
export function useTicketEvents(onDeleted: (ticketId: number) => void) {
  const client = useQueryClient();
  const reader = useReader();
  useStatusRoom('open', () => refetchLists(client, 'open'));
  useStatusRoom('pending', () => refetchLists(client, 'pending'));
  useStatusRoom('closed', () => refetchLists(client, 'closed'));
  useCompanyEvent('ticket', (event) => {
    applyTicketEvent(client, event, reader);
    recount(client);
    if (event.action === 'delete' && event.oldStatus === undefined) onDeleted(event.ticketId);
  });
  useCompanyEvent('appMessage', (event) => {
    applyMessageEvent(client, event, reader);
    if (event.action === 'create') recount(client);
  });
  useCompanyEvent('ticketDeadline', (event) => applyDeadline(client, event));
  useRelatedEvents((change) => {
    applyRelated(client, change, reader);
    // Only what is gone takes tickets with it, or moves them.
    if (change.now === null) recount(client);
  });
  const queues = reader.queues.join();
  const counted = useRef(queues);
  useEffect(() => {
    if (counted.current !== queues) recount(client);
    counted.current = queues;
  }, [client, queues]);
}
