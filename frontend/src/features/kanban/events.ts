import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import {
  patchTickets,
  removeTicket,
  useReader,
  type Reader,
  type Ticket,
  type TicketStatus,
} from '@/features/tickets/api';
import { useCompanyEvent, useStatusRoom } from '@/lib/socket';
import { eachLane, laneKey, lanesKey, storeOnBoard, type Lane } from './api';
import { foldDeleted } from './fold';
import { foldLanes, foldTag, type TagEvent } from './lanes';

export type TicketEvent =
  | { action: 'update'; ticket: Ticket }
  | { action: 'delete'; ticketId: number; oldStatus?: TicketStatus }
  | { action: 'updateUnread'; ticketId: number };

interface EventMessage {
  id: number;
  ack: number;
  isDeleted: boolean;
}

export type MessageEvent =
  | { action: 'create'; message: EventMessage; ticket: Ticket }
  | { action: 'update'; message: EventMessage };

export interface ContactEvent {
  contact?: Ticket['contact'];
  contactId?: number;
}

export interface QueueEvent {
  queue?: NonNullable<Ticket['queue']>;
  queueId?: number;
}

/** Folds one ticket event into the lanes. */
export function applyTicketEvent(client: QueryClient, event: TicketEvent, reader: Reader) {
  switch (event.action) {
    case 'update':
      storeOnBoard(client, event.ticket, reader);
      break;
    case 'delete':
      eachLane(client, (pages) => foldDeleted(pages, event.ticketId, event.oldStatus));
      break;
    case 'updateUnread':
      patchCards(
        client,
        ({ id }) => id === event.ticketId,
        (ticket) => ({ ...ticket, unreadMessages: 0 }),
      );
  }
}

function patchCards(
  client: QueryClient,
  picks: (ticket: Ticket) => boolean,
  patch: (ticket: Ticket) => Ticket,
) {
  eachLane(client, (pages) => patchTickets(pages, picks, patch));
}

/** Folds one message event: a new message changes its card, a step of the last one its tick. */
export function applyMessageEvent(client: QueryClient, event: MessageEvent, reader: Reader) {
  if (event.action === 'create') {
    storeOnBoard(client, event.ticket, reader);
    return;
  }
  const { id, ack, isDeleted } = event.message;
  patchCards(
    client,
    (ticket) => ticket.lastMessageId === id,
    (ticket) => ({ ...ticket, lastMessageAck: ack, lastMessageDeleted: isDeleted }),
  );
}

/** Folds a contact's change into its cards; a deleted one takes them along. */
export function applyContactEvent(client: QueryClient, { contact, contactId }: ContactEvent) {
  if (contact)
    patchCards(
      client,
      (ticket) => ticket.contactId === contact.id,
      (ticket) => ({ ...ticket, contact: { ...ticket.contact, ...contact } }),
    );
  else
    eachLane(client, (pages) =>
      pages.pages
        .flatMap(({ tickets }) => tickets)
        .filter((ticket) => ticket.contactId === contactId)
        .reduce((rest, { id }) => removeTicket(rest, id), pages),
    );
}

/** Folds a queue's name and colour into its cards; who sees those of a deleted one, is asked anew. */
export function applyQueueEvent(client: QueryClient, { queue }: QueueEvent) {
  if (!queue) {
    void client.invalidateQueries({ queryKey: laneKey });
    return;
  }
  const { id, name, color } = queue;
  patchCards(
    client,
    (ticket) => ticket.queueId === id,
    (ticket) => ({ ...ticket, queue: { id, name, color } }),
  );
}

/** Folds a tag's change into the columns and the cards that carry it. */
export function applyTagEvent(client: QueryClient, event: TagEvent) {
  const before = client.getQueryData<Lane[]>(lanesKey);
  if (!before) return;
  const after = foldLanes(before, event);
  client.setQueryData(lanesKey, after);
  patchCards(
    client,
    () => true,
    (ticket) => foldTag(ticket, event),
  );
  // A lane came or went, and with it the place of tickets that the browser may not know.
  if (after.length !== before.length) void client.invalidateQueries({ queryKey: laneKey });
}

/** Keeps the board in step with the live events while mounted. */
export function useBoardEvents() {
  const client = useQueryClient();
  const reader = useReader();
  const joined = useRef(0);
  // What came between fetching and hearing is lost to both: fetched again once both rooms are ours.
  const onJoined = () => {
    joined.current = (joined.current + 1) % 2;
    if (joined.current === 0) void client.invalidateQueries({ queryKey: laneKey });
  };
  useStatusRoom('open', onJoined);
  useStatusRoom('pending', onJoined);
  useCompanyEvent<TicketEvent>('ticket', (event) => applyTicketEvent(client, event, reader));
  useCompanyEvent<MessageEvent>('appMessage', (event) => applyMessageEvent(client, event, reader));
  useCompanyEvent<TagEvent>('tag', (event) => applyTagEvent(client, event));
  useCompanyEvent<ContactEvent>('contact', (event) => applyContactEvent(client, event));
  useCompanyEvent<QueueEvent>('queue', (event) => applyQueueEvent(client, event));
}
