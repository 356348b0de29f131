import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import type { Ticket, TicketFilters, TicketPages, TicketStatus } from './api';
import {
  amendTickets,
  foldTicket,
  isUnsure,
  leavesList,
  mayHaveLeft,
  patchTickets,
  removeTicket,
  useReader,
  type Reader,
  type Said,
} from './fold';
import { besideChanged, foldNeighbour, isBeside, isUnsureBeside } from './neighbours';
import type { NeighbourChange } from './neighbours';

export type TicketEvent =
  | { action: 'update'; ticket: Ticket }
  | { action: 'delete'; ticketId: number; oldStatus?: TicketStatus }
  | { action: 'updateUnread'; ticketId: number };

interface EventMessage {
  id: number;
  ticketId: number;
  ack: number;
  body: string;
  isDeleted: boolean;
}

export type MessageEvent =
  | { action: 'create'; message: EventMessage; ticket: Ticket }
  | { action: 'update'; message: EventMessage };

/** Applies a change to every cached list. */
function eachList(
  client: QueryClient,
  change: (pages: TicketPages, filters: TicketFilters) => TicketPages,
) {
  changeQueries<TicketPages>(client, ['tickets', 'list'], (pages, [, , filters]) =>
    change(pages, filters as TicketFilters),
  );
}

/** Applies a change to the tickets cached by their own address. */
function eachTicket(client: QueryClient, change: (ticket: Ticket) => Ticket) {
  changeQueries<Ticket>(client, ['tickets', 'uuid'], change);
}

const AGAIN_MS = 500;
const fetchedAgain = new Set<string>();

/**
 * Fetches the lists again that a test picks: what they hold now only the server knows. Many events
 * at once cost one fetch.
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

/** Folds one ticket event into the cache; `said` is the message that came with it. */
export function applyTicketEvent(
  client: QueryClient,
  event: TicketEvent,
  reader: Reader,
  said?: Said,
) {
  switch (event.action) {
    case 'update': {
      const { ticket } = event;
      eachList(client, (pages, filters) => foldTicket(pages, ticket, filters, reader, said));
      // A message that brings a ticket in says so itself.
      if (!said) fetchAgain(client, (pages, filters) => isUnsure(pages, ticket, filters, reader));
      eachTicket(client, (known) =>
        known.id === ticket.id && known.updatedAt <= ticket.updatedAt ? ticket : known,
      );
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
    case 'updateUnread': {
      const read = (ticket: Ticket) => ({ ...ticket, unreadMessages: 0 });
      const isIt = ({ id }: Ticket) => id === event.ticketId;
      eachList(client, (pages, filters) => amendTickets(pages, isIt, read, filters, reader));
      eachTicket(client, (known) => (isIt(known) ? read(known) : known));
    }
  }
}

/** Folds one message event into the rows: a new message moves its ticket, a tick changes its row. */
export function applyMessageEvent(client: QueryClient, event: MessageEvent, reader: Reader) {
  const { message } = event;
  if (event.action === 'create') {
    applyTicketEvent(client, { action: 'update', ticket: event.ticket }, reader, message);
    return;
  }
  const isLatest = (ticket: Ticket) => ticket.lastMessageId === message.id;
  const patch = (ticket: Ticket): Ticket => ({
    ...ticket,
    lastMessageAck: message.ack,
    lastMessageDeleted: message.isDeleted,
  });
  eachList(client, (pages) => patchTickets(pages, isLatest, patch));
  eachTicket(client, (known) => (isLatest(known) ? patch(known) : known));
}

/** Folds what became of a contact, queue, connection, user or tag into the rows that show it. */
export function applyNeighbour(client: QueryClient, change: NeighbourChange, reader: Reader) {
  fetchAgain(client, (pages, filters) => isUnsureBeside(pages, change, filters));
  eachList(client, (pages, filters) => foldNeighbour(pages, change, filters, reader));
  eachTicket(client, (known) => (isBeside(known, change) ? besideChanged(known, change) : known));
}

const COUNTS_MS = 400;

/** Fetches the lists of a status again, and the counts: events before we heard are lost to them. */
function refetchLists(client: QueryClient, status: TicketStatus) {
  void client.invalidateQueries({
    predicate: ({ queryKey: [feature, kind, filters] }) =>
      feature === 'tickets' &&
      (kind === 'counts'
        ? status !== 'closed'
        : kind === 'list' && (filters as TicketFilters).status === status),
  });
}

/** Keeps lists, counts and the open ticket in step with the live events while mounted. */
export function useTicketEvents(onDeleted: (ticketId: number) => void) {
  const client = useQueryClient();
  const reader = useReader();
  const timer = useRef(0);
  useStatusRoom('open', () => refetchLists(client, 'open'));
  useStatusRoom('pending', () => refetchLists(client, 'pending'));
  useStatusRoom('closed', () => refetchLists(client, 'closed'));
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = 0;
    },
    [],
  );

  // Many events at once cost one count, and steady ones no more than one each time.
  function recount() {
    if (timer.current) return;
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      void client.invalidateQueries({ queryKey: ['tickets', 'counts'] });
    }, COUNTS_MS);
  }

  useCompanyEvent<TicketEvent>('ticket', (event) => {
    applyTicketEvent(client, event, reader);
    recount();
    if (event.action === 'delete' && event.oldStatus === undefined) onDeleted(event.ticketId);
  });
  useCompanyEvent<MessageEvent>('appMessage', (event) => {
    applyMessageEvent(client, event, reader);
    if (event.action === 'create') recount();
  });
  useNeighbourEvents((change) => {
    applyNeighbour(client, change, reader);
    recount();
  });
}

/** Hears what becomes of the neighbours of tickets (rules §11). */
function useNeighbourEvents(onChange: (change: NeighbourChange) => void) {
  useCompanyEvent<{ contact?: Ticket['contact']; contactId?: number }>(
    'contact',
    ({ contact, contactId }) => {
      if (contact) {
        const { id, name, number, email, profilePicUrl } = contact;
        onChange({ kind: 'contact', id, now: { name, number, email, profilePicUrl } });
      } else if (contactId !== undefined) onChange({ kind: 'contact', id: contactId, now: null });
    },
  );
  useCompanyEvent<{ queue?: NonNullable<Ticket['queue']>; queueId?: number }>(
    'queue',
    ({ queue, queueId }) => {
      if (queue) {
        const { id, name, color } = queue;
        onChange({ kind: 'queue', id, now: { name, color } });
      } else if (queueId !== undefined) onChange({ kind: 'queue', id: queueId, now: null });
    },
  );
  type Connection = NonNullable<Ticket['whatsapp']>;
  useCompanyEvent<{ whatsapp?: Connection; whatsappId?: number }>(
    'whatsapp',
    ({ whatsapp, whatsappId }) => {
      if (whatsapp) {
        const { id, name, status } = whatsapp;
        onChange({ kind: 'connection', id, now: { name, status } });
      } else if (whatsappId !== undefined)
        onChange({ kind: 'connection', id: whatsappId, now: null });
    },
  );
  useCompanyEvent<{ session?: Connection }>('whatsappSession', ({ session }) => {
    if (session) onChange({ kind: 'connection', id: session.id, now: { status: session.status } });
  });
  useCompanyEvent<{ user?: { id: number; name: string } }>('user', ({ user }) => {
    if (user) onChange({ kind: 'user', id: user.id, now: { name: user.name } });
  });
  useCompanyEvent<{
    action: string;
    tag?: { id: number; name: string; color: string; kanban: number };
    tagId?: number;
  }>('tag', ({ tag, tagId }) => {
    if (tag) {
      const { id, name, color, kanban } = tag;
      onChange({ kind: 'tag', id, now: { name, color, kanban } });
    } else if (tagId !== undefined) onChange({ kind: 'tag', id: tagId, now: null });
  });
}
