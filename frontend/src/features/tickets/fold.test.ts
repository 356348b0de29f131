import { describe, expect, test } from 'vitest';
import {
  deadlineStep,
  belongs,
  foldTicket,
  leavesList,
  patchTickets,
  readTicket,
  removeTicket,
  ticketsOf,
} from './fold';
import type { Reader, Ticket, TicketFilters, TicketPages } from './types';

const reader: Reader = { userId: 7, queues: [1, 2], seesAll: true };
const filters: TicketFilters = { status: 'open', showAll: false, queues: [] };

function makeTicket(id: number, fields: Partial<Ticket> = {}): Ticket {
  return {
    id,
    status: 'open',
    userId: 7,
    queueId: 1,
    unreadMessages: 0,
    handedOver: false,
    handedOverById: null,
    tags: [] as Ticket['tags'],
    contact: { name: `Cliente ${id}`, number: `5511987650${id}`, email: '' },
    updatedAt: `2026-01-01T10:00:${String(id).padStart(2, '0')}Z`,
    ...fields,
  } as Ticket;
}

function makePages(ids: number[], hasMore = false): TicketPages {
  return {
    pages: [{ tickets: ids.map((id) => makeTicket(id)), count: ids.length, hasMore }],
    pageParams: [1],
  };
}

const idsOf = (pages: TicketPages) => ticketsOf(pages).map(({ id }) => id);

describe('belonging', () => {
  test('without show-all the open list is the own tickets', () => {
    expect(belongs(makeTicket(1), filters, reader)).toBe(true);
    expect(belongs(makeTicket(1, { userId: 8 }), filters, reader)).toBe(false);
    expect(belongs(makeTicket(1, { userId: 8 }), { ...filters, showAll: true }, reader)).toBe(true);
  });

  test('the pending list is the own queues; tickets without a queue are an admin’s', () => {
    const pending: TicketFilters = { ...filters, status: 'pending' };
    const waiting = (queueId: number | null) =>
      makeTicket(1, { status: 'pending', userId: null, queueId });
    expect(belongs(waiting(2), pending, reader)).toBe(true);
    expect(belongs(waiting(3), pending, reader)).toBe(false);
    expect(belongs(waiting(null), pending, reader)).toBe(false);
    expect(belongs(waiting(null), pending, { ...reader, isAdmin: true })).toBe(true);
  });

  test('a chosen queue narrows, 0 being the tickets without one', () => {
    expect(belongs(makeTicket(1), { ...filters, queues: [2] }, reader)).toBe(false);
    const admin = { ...reader, isAdmin: true };
    expect(belongs(makeTicket(1, { queueId: null }), { ...filters, queues: [0] }, admin)).toBe(
      true,
    );
  });

  test('a closing window is the last hour of a contact who waits, on an official number', () => {
    const closing: TicketFilters = { ...filters, closing: true };
    const heard = (hours: number, fields: Partial<Ticket> = {}) =>
      makeTicket(1, {
        whatsapp: { provider: 'official' } as Ticket['whatsapp'],
        lastInboundAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
        lastMessageFromMe: false,
        ...fields,
      });
    expect(belongs(heard(23.5), closing, reader)).toBe(true);
    for (const other of [
      heard(22.9),
      heard(24),
      heard(23.5, { lastMessageFromMe: true }),
      heard(23.5, { owner: 'other' }),
      heard(23.5, { whatsapp: { provider: 'beta' } as Ticket['whatsapp'] }),
      heard(23.5, { lastInboundAt: null }),
    ])
      expect(belongs(other, closing, reader)).toBe(false);
    const answered = foldTicket(
      { pages: [{ tickets: [heard(23.5)], count: 1, hasMore: false }], pageParams: [1] },
      heard(23.5, { lastMessageFromMe: true, updatedAt: '2026-01-01T11:00:00Z' }),
      closing,
      reader,
    );
    expect(idsOf(answered)).toEqual([]);
  });

  test('tags are all of them, users any of them, unread is what it says', () => {
    const tags = [{ id: 1 }, { id: 2 }] as Ticket['tags'];
    const ticket = makeTicket(1, { tags });
    expect(belongs(ticket, { ...filters, tags: [1, 2] }, reader)).toBe(true);
    expect(belongs(ticket, { ...filters, tags: [1, 3] }, reader)).toBe(false);
    expect(belongs(ticket, { ...filters, users: [7, 8] }, reader)).toBe(true);
    expect(belongs(ticket, { ...filters, users: [8] }, reader)).toBe(false);
    expect(belongs(ticket, { ...filters, unread: true }, reader)).toBe(false);
  });

  test('show-all is for those who may see all', () => {
    const theirs = makeTicket(1, { userId: 8 });
    expect(belongs(theirs, { ...filters, showAll: true }, { ...reader, seesAll: false })).toBe(
      false,
    );
  });
});

describe('folding', () => {
  test('a new ticket goes in front and is counted', () => {
    const pages = foldTicket(makePages([2, 1]), makeTicket(9), filters, reader);
    expect(idsOf(pages)).toEqual([9, 2, 1]);
    expect(pages.pages[0]?.count).toBe(3);
  });

  test('a changed ticket moves to its new place', () => {
    const news = makeTicket(1, { updatedAt: '2026-01-01T11:00:00Z' });
    expect(idsOf(foldTicket(makePages([2, 1]), news, filters, reader))).toEqual([1, 2]);
  });

  test('a ticket that no longer belongs leaves', () => {
    const closed = makeTicket(1, { status: 'closed', updatedAt: '2026-01-01T11:00:00Z' });
    const pages = foldTicket(makePages([2, 1]), closed, filters, reader);
    expect(idsOf(pages)).toEqual([2]);
    expect(pages.pages[0]?.count).toBe(1);
  });

  test('older news change nothing', () => {
    const pages = makePages([2, 1]);
    const stale = makeTicket(2, { updatedAt: '2025-01-01T10:00:00Z', status: 'closed' });
    expect(foldTicket(pages, stale, filters, reader)).toBe(pages);
  });

  test('a ticket older than all that is loaded waits for its page', () => {
    const pages = foldTicket(
      makePages([9, 8], true),
      makeTicket(1, { updatedAt: '2025-01-01T10:00:00Z' }),
      filters,
      reader,
    );
    expect(idsOf(pages)).toEqual([9, 8]);
    expect(pages.pages[0]?.count).toBe(2);
  });

  test('a search shows the newest line that it finds, and keeps it while nothing else is said', () => {
    const search: TicketFilters = { showAll: true, queues: [], search: 'orcamento' };
    const pages = makePages([2, 1]);
    expect(foldTicket(pages, makeTicket(9), search, reader)).toBe(pages);
    const said = { id: 50, body: 'Segue o Orçamento' };
    const found = foldTicket(pages, makeTicket(9), search, reader, said);
    expect(idsOf(found)).toEqual([9, 2, 1]);
    const later = makeTicket(9, { updatedAt: '2026-01-01T12:00:00Z' });
    const kept = foldTicket(found, later, search, reader, { id: 51, body: 'ok' });
    expect(ticketsOf(kept)[0]?.match).toEqual({ messageId: 50, body: 'Segue o Orçamento' });
  });

  test('a search finds contacts by name and by a telephone as people write it', () => {
    const byName: TicketFilters = { showAll: true, queues: [], search: 'cliente 9' };
    expect(ticketsOf(foldTicket(makePages([]), makeTicket(9), byName, reader))[0]?.match).toBe(
      null,
    );
    const byNumber = { ...byName, search: '(11) 98765-09' };
    expect(idsOf(foldTicket(makePages([]), makeTicket(9), byNumber, reader))).toEqual([9]);
  });

  test('a ticket stands once though pages overlap', () => {
    const [page] = makePages([3, 2]).pages;
    const [next] = makePages([2, 1]).pages;
    if (!page || !next) throw new Error('no pages');
    expect(idsOf({ pages: [page, next], pageParams: [1, 2] })).toEqual([3, 2, 1]);
  });
});

test('a change of status leaves only the old status’s lists, a deletion all', () => {
  expect(leavesList(filters, 'pending')).toBe(false);
  expect(leavesList(filters, 'open')).toBe(true);
  expect(leavesList(filters, undefined)).toBe(true);
});

test('removing and patching leave other lists untouched', () => {
  const pages = makePages([2, 1]);
  expect(removeTicket(pages, 5)).toBe(pages);
  expect(idsOf(removeTicket(pages, 2))).toEqual([1]);
  const read = patchTickets(pages, readTicket(2));
  expect(read.pages[0]?.tickets[1]).toBe(pages.pages[0]?.tickets[1]);
});

test('a snoozed ticket is in no list of live ones but in that of the snoozed', () => {
  const live = { status: 'open' as const, showAll: true, queues: [] };
  const reader = { userId: 7, queues: [], isAdmin: true, seesAll: true };
  const open = { status: 'open', userId: 7, queueId: 4, tags: [], snoozedAt: null };
  const ticket = open as unknown as Ticket;
  const snoozed = { ...ticket, snoozedAt: '2026-03-02T12:00:00Z' };
  expect(belongs(ticket, live, reader)).toBe(true);
  expect(belongs(snoozed, live, reader)).toBe(false);
  expect(belongs(snoozed, { ...live, snoozed: true }, reader)).toBe(true);
  expect(belongs(ticket, { ...live, snoozed: true }, reader)).toBe(false);
  expect(belongs(snoozed, { showAll: true, queues: [], search: 'ana' }, reader)).toBe(true);
});

test('a list by deadlines has the nearest on top, and moves what gets another one', () => {
  const pages: TicketPages = {
    pages: [
      {
        tickets: [
          makeTicket(1, { slaDueAt: null, updatedAt: '2026-01-01T11:00:00Z' }),
          makeTicket(2, { slaDueAt: '2026-01-01T15:00:00Z' }),
          makeTicket(3, { slaDueAt: '2026-01-01T14:00:00Z' }),
          makeTicket(4, { slaDueAt: null, updatedAt: '2026-01-01T12:00:00Z' }),
        ],
        count: 4,
        hasMore: false,
      },
    ],
    pageParams: [1],
  };
  const ids = (shown: TicketPages) => ticketsOf(shown, 'nearest_deadline').map(({ id }) => id);
  expect(ids(pages)).toEqual([3, 2, 4, 1]);
  const step = deadlineStep({
    action: 'update',
    ticketId: 1,
    slaDueAt: '2026-01-01T13:00:00Z',
    slaWarnsAt: '2026-01-01T12:45:00Z',
  });
  expect(ids(patchTickets(pages, step))).toEqual([1, 3, 2, 4]);
});
