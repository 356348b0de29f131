import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import type { Ticket, TicketFilters, TicketPages, TicketStatus } from './api';
import { foldTicket, leavesList, patchTickets, removeTicket, useReader, type Reader } from './fold';

export type TicketEvent =
  | { action: 'update'; ticket: Ticket }
  | { action: 'delete'; ticketId: number; oldStatus?: TicketStatus }
  | { action: 'updateUnread'; ticketId: number };

interface EventMessage {
  id: number;
  ticketId: number;
  ack: number;
  isDeleted: boolean;
}

export type MessageEvent =
  | { action: 'create'; message: EventMessage; ticket: Ticket }
  | { action: 'update'; message: EventMessage };

interface ContactEvent {
  action: 'create' | 'update' | 'delete';
  contact?: Ticket['contact'];
}

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

/** Folds one ticket event into the cache. */
export function applyTicketEvent(client: QueryClient, event: TicketEvent, reader: Reader) {
  switch (event.action) {
    case 'update': {
      const { ticket } = event;
      eachList(client, (pages, filters) => foldTicket(pages, ticket, filters, reader));
      eachTicket(client, (known) =>
        known.id === ticket.id && known.updatedAt <= ticket.updatedAt ? ticket : known,
      );
      break;
    }
    case 'delete':
      eachList(client, (pages, filters) =>
        leavesList(filters, event.oldStatus) ? removeTicket(pages, event.ticketId) : pages,
      );
      break;
    case 'updateUnread': {
      const read = (ticket: Ticket) => ({ ...ticket, unreadMessages: 0 });
      eachList(client, (pages) => patchTickets(pages, ({ id }) => id === event.ticketId, read));
      eachTicket(client, (known) => (known.id === event.ticketId ? read(known) : known));
    }
  }
}

/** Folds one message event into the rows: a new message moves its ticket, a tick changes its row. */
export function applyMessageEvent(client: QueryClient, event: MessageEvent, reader: Reader) {
  if (event.action === 'create') {
    applyTicketEvent(client, { action: 'update', ticket: event.ticket }, reader);
    return;
  }
  const { message } = event;
  const isLatest = (ticket: Ticket) => ticket.lastMessageId === message.id;
  const patch = (ticket: Ticket): Ticket => ({
    ...ticket,
    lastMessageAck: message.ack,
    lastMessageDeleted: message.isDeleted,
  });
  eachList(client, (pages) => patchTickets(pages, isLatest, patch));
  eachTicket(client, (known) => (isLatest(known) ? patch(known) : known));
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
  useEffect(() => () => window.clearTimeout(timer.current), []);

  // Many events at once cost one count.
  function recount() {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => void client.invalidateQueries({ queryKey: ['tickets', 'counts'] }),
      COUNTS_MS,
    );
  }

  useCompanyEvent<TicketEvent>('ticket', (event) => {
    applyTicketEvent(client, event, reader);
    if (event.action !== 'updateUnread') recount();
    if (event.action === 'delete' && event.oldStatus === undefined) onDeleted(event.ticketId);
  });
  useCompanyEvent<MessageEvent>('appMessage', (event) => applyMessageEvent(client, event, reader));
  useCompanyEvent<ContactEvent>('contact', ({ contact }) => {
    if (!contact) return;
    const patch = (ticket: Ticket): Ticket => ({
      ...ticket,
      contact: { ...ticket.contact, ...contact },
    });
    const isOf = (ticket: Ticket) => ticket.contactId === contact.id;
    eachList(client, (pages) => patchTickets(pages, isOf, patch));
    eachTicket(client, (known) => (isOf(known) ? patch(known) : known));
  });
}
