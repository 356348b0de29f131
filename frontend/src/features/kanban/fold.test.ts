import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Tag } from '@/features/tags/api';
import { ticketsOf, type Reader, type Ticket, type TicketPages } from '@/features/tickets/api';
import type { LiveEvent } from '@/lib/api/types';
import { laneQuery, storeOnBoard } from './api';
import { applyMessageEvent, applyRelated, applyTagEvent, applyTicketEvent } from './events';
import { foldDeleted, foldIntoLane, isOnBoard, mayMove } from './fold';
import { OPEN_LANE } from './lanes';
import type { BoardFilters } from './types';

const DOING = 5;
const DONE = 6;
const LABEL = 9;
const reader: Reader = { userId: 7, queues: [1] };
const filters: BoardFilters = { showAll: false, queues: [] };

type Message = LiveEvent<'appMessage'>['message'];

const tagOf = (id: number) =>
  ({ id, name: `Tag ${id}`, color: '#888', kanban: id < LABEL ? 1 : 0 }) as Tag;

function makeTicket(id: number, tagIds: number[] = [], fields: Partial<Ticket> = {}): Ticket {
  return {
    id,
    uuid: `u${id}`,
    status: 'open',
    userId: 7,
    queueId: 1,
    unreadMessages: 2,
    updatedAt: `2026-01-01T10:00:${String(id).padStart(2, '0')}Z`,
    tags: tagIds.map(tagOf),
    ...fields,
  } as Ticket;
}

const makePages = (...tickets: Ticket[]): TicketPages => ({
  pages: [{ tickets, count: tickets.length, hasMore: false }],
  pageParams: [1],
});

function makeBoard(lanes: Record<number, Ticket[]>): QueryClient {
  const client = new QueryClient();
  for (const [laneId, tickets] of Object.entries(lanes))
    client.setQueryData(laneQuery(Number(laneId), filters).queryKey, makePages(...tickets));
  client.setQueryData(['kanban', 'lanes'], [tagOf(DOING), tagOf(DONE)]);
  return client;
}

const lane = (client: QueryClient, laneId: number) =>
  client.getQueryData(laneQuery(laneId, filters).queryKey);
const idsIn = (client: QueryClient, laneId: number) =>
  ticketsOf(lane(client, laneId)).map(({ id }) => id);
const countOf = (client: QueryClient, laneId: number) => lane(client, laneId)?.pages[0]?.count;

test('a card that changed its lane leaves one and stands in the other by its time', () => {
  const client = makeBoard({
    [OPEN_LANE]: [makeTicket(2)],
    [DOING]: [makeTicket(3, [DOING]), makeTicket(1, [DOING])],
  });
  applyTicketEvent(client, { action: 'update', ticket: makeTicket(2, [DOING]) }, reader);
  expect(idsIn(client, OPEN_LANE)).toEqual([]);
  expect(idsIn(client, DOING)).toEqual([3, 2, 1]);
  expect([countOf(client, OPEN_LANE), countOf(client, DOING)]).toEqual([0, 3]);
});

test('news of equal time count, older ones change nothing in any lane', () => {
  const client = makeBoard({ [OPEN_LANE]: [], [DOING]: [makeTicket(4, [DOING])] });
  const older = makeTicket(4, [], { updatedAt: '2025-01-01T10:00:00Z' });
  applyTicketEvent(client, { action: 'update', ticket: older }, reader);
  expect(idsIn(client, OPEN_LANE)).toEqual([]);
  expect(idsIn(client, DOING)).toEqual([4]);
  applyTicketEvent(client, { action: 'update', ticket: makeTicket(4) }, reader);
  expect(idsIn(client, OPEN_LANE)).toEqual([4]);
});

test('a new ticket comes, one that is not the reader’s does not, a closed one goes', () => {
  const client = makeBoard({ [OPEN_LANE]: [makeTicket(1)] });
  const tell = (ticket: Ticket) => applyTicketEvent(client, { action: 'update', ticket }, reader);
  tell(makeTicket(2));
  tell(makeTicket(3, [], { userId: 8 }));
  expect(idsIn(client, OPEN_LANE)).toEqual([2, 1]);
  tell(makeTicket(1, [], { status: 'closed', updatedAt: '2026-01-02T10:00:00Z' }));
  expect(idsIn(client, OPEN_LANE)).toEqual([2]);
});

test('a change of status takes only the card that still shows the old one', () => {
  const pages = makePages(makeTicket(1));
  expect(foldDeleted(pages, 1, 'pending')).toBe(pages);
  expect(foldDeleted(pages, 1, 'open').pages[0]?.tickets).toEqual([]);
  expect(foldDeleted(pages, 1, undefined).pages[0]?.count).toBe(0);
});

test('messages move their card, ticks and reading change it', () => {
  const client = makeBoard({ [DOING]: [makeTicket(2, [DOING]), makeTicket(1, [DOING])] });
  const message = { id: 40, ack: 1, isDeleted: false } as Message;
  const ticket = makeTicket(1, [DOING], { lastMessageId: 40, updatedAt: '2026-01-01T11:00:00Z' });
  applyMessageEvent(client, { action: 'create', message, ticket, contact: ticket.contact }, reader);
  applyMessageEvent(client, { action: 'update', message: { ...message, ack: 4 } }, reader);
  applyTicketEvent(client, { action: 'updateUnread', ticketId: 1 }, reader);
  expect(idsIn(client, DOING)).toEqual([1, 2]);
  expect(ticketsOf(lane(client, DOING))[0]).toMatchObject({ lastMessageAck: 4, unreadMessages: 0 });
});

test('a card that moves is not thrown back by what happens to it meanwhile', () => {
  const client = makeBoard({ [OPEN_LANE]: [makeTicket(1)], [DOING]: [] });
  const moved = makeTicket(1, [DOING]);
  void client
    .getMutationCache()
    .build(client, {
      mutationKey: ['kanban', 'move'],
      mutationFn: () => new Promise<void>(() => undefined),
    })
    .execute({ ticket: moved, lane: tagOf(DOING) });
  storeOnBoard(client, makeTicket(1, [], { updatedAt: '2026-01-01T12:00:00Z' }), reader);
  expect(idsIn(client, DOING)).toEqual([1]);
  expect(idsIn(client, OPEN_LANE)).toEqual([]);
});

test('a tag that goes has the lanes fetched again', () => {
  const client = makeBoard({ [OPEN_LANE]: [makeTicket(1)], [DOING]: [] });
  applyTagEvent(client, { action: 'update', tag: { ...tagOf(LABEL), name: 'Urgente' } });
  const state = () => client.getQueryState(laneQuery(OPEN_LANE, filters).queryKey);
  expect(state()?.isInvalidated).toBe(false);
  applyTagEvent(client, { action: 'delete', tagId: DOING });
  expect(client.getQueryData(['kanban', 'lanes'])).toEqual([expect.objectContaining({ id: DONE })]);
  expect(state()?.isInvalidated).toBe(true);
});

test('the board holds what the server lists: own, waiting in own queues, with all: everybody’s', () => {
  const all = { showAll: true, queues: [] };
  const theirs = makeTicket(1, [], { userId: 8 });
  expect(isOnBoard(theirs, filters, reader)).toBe(false);
  const watcher = { ...reader, seesAll: true };
  expect(isOnBoard(theirs, all, watcher)).toBe(true);
  expect(isOnBoard(theirs, { showAll: true, queues: [2] }, watcher)).toBe(false);
  expect(isOnBoard({ ...theirs, status: 'closed' }, all, watcher)).toBe(false);
});

test('who only looks on may not move a card', () => {
  const theirs = makeTicket(1, [], { userId: 8, queueId: 3 });
  expect(mayMove(theirs, reader)).toBe(false);
  expect(mayMove(theirs, { ...reader, isAdmin: true })).toBe(true);
  expect(mayMove({ ...theirs, queueId: 1 }, reader)).toBe(true);
  expect(mayMove({ ...theirs, userId: 7 }, reader)).toBe(true);
  expect(mayMove({ ...theirs, userId: null, queueId: null, status: 'pending' }, reader)).toBe(
    false,
  );
});

test('an old card that is moved is shown though older pages are not loaded', () => {
  const pages: TicketPages = {
    pages: [{ tickets: [makeTicket(9, [DOING])], count: 80, hasMore: true }],
    pageParams: [1],
  };
  const folded = foldIntoLane(pages, makeTicket(1, [DOING]), DOING, filters, reader);
  expect(ticketsOf(folded).map(({ id }) => id)).toEqual([9, 1]);
  expect(folded.pages[0]?.count).toBe(81);
});

test('a deleted contact takes its cards along, a renamed queue or tag shows its new name', () => {
  const client = makeBoard({
    [OPEN_LANE]: [makeTicket(2, [], { contactId: 30 }), makeTicket(1, [LABEL], { contactId: 31 })],
  });
  applyRelated(client, { kind: 'contact', id: 30, now: null });
  expect(idsIn(client, OPEN_LANE)).toEqual([1]);
  expect(countOf(client, OPEN_LANE)).toBe(1);
  applyRelated(client, { kind: 'queue', id: 1, now: { name: 'Loja', color: '#123456' } });
  const renamed = { name: 'Urgente', color: '#888', kanban: 0 };
  applyRelated(client, { kind: 'tag', id: LABEL, now: renamed });
  const [card] = ticketsOf(lane(client, OPEN_LANE));
  expect([card?.queue?.name, card?.tags[0]?.name]).toEqual(['Loja', 'Urgente']);
});

test('who sees the cards of a deleted queue is asked anew', () => {
  const client = makeBoard({ [OPEN_LANE]: [makeTicket(1)] });
  applyRelated(client, { kind: 'queue', id: 1, now: null });
  const state = client.getQueryState(laneQuery(OPEN_LANE, filters).queryKey);
  expect(state?.isInvalidated).toBe(true);
});
