import { expect, test } from 'vitest';
import { belongs, foldTicket, ticketsOf } from './fold';
import type { Ticket, TicketPages } from './types';
import { offScreen } from './useOffScreen';
import { waitOf } from './Waited';

const filters = {
  status: 'pending' as const,
  showAll: true,
  queues: [],
  order: 'longest_waiting' as const,
};
const reader = { userId: 7, queues: [4], isAdmin: true, seesAll: true };
const ticket = (id: number, queuedAt: string, updatedAt = queuedAt) =>
  ({
    id,
    uuid: String(id),
    status: 'pending',
    userId: null,
    queueId: 4,
    queuedAt,
    updatedAt,
    unansweredCampaign: false,
    handedOver: false,
    woken: '',
    unreadMessages: 0,
    tags: [] as Ticket['tags'],
  }) as Ticket;
const pagesOf = (hasMore: boolean, ...tickets: ReturnType<typeof ticket>[]): TicketPages => ({
  pages: [{ tickets, count: 9, hasMore }],
  pageParams: [1],
});
const idsOf = (pages: TicketPages) => ticketsOf(pages, filters.order).map(({ id }) => id);

test('a new message leaves a waiting ticket where it is', () => {
  const first = ticket(1, '2026-03-02T12:00:00Z');
  const pages = pagesOf(false, first, ticket(2, '2026-03-02T12:05:00Z'));
  const news = { ...first, updatedAt: '2026-03-02T13:00:00Z' };
  expect(idsOf(foldTicket(pages, news, filters, reader))).toEqual([1, 2]);
});

test('who begins to wait is last, and comes with its own page if there are more', () => {
  const rows = [ticket(1, '2026-03-02T12:00:00Z'), ticket(2, '2026-03-02T12:05:00Z')];
  const news = ticket(3, '2026-03-02T12:06:00Z');
  expect(idsOf(foldTicket(pagesOf(false, ...rows), news, filters, reader))).toEqual([1, 2, 3]);
  expect(idsOf(foldTicket(pagesOf(true, ...rows), news, filters, reader))).toEqual([1, 2]);
});

test('what only a campaign began is in a search and under its filter alone', () => {
  const begun = {
    ...ticket(1, '2026-03-02T12:00:00Z'),
    status: 'closed',
    unansweredCampaign: true,
  } as Ticket;
  const closed = { status: 'closed' as const, showAll: true, queues: [] };
  expect(belongs(begun, closed, reader)).toBe(false);
  expect(belongs(begun, { ...closed, campaigns: true }, reader)).toBe(true);
  expect(belongs(begun, { showAll: true, queues: [], search: 'oi' }, reader)).toBe(true);
  expect(belongs({ ...begun, unansweredCampaign: false }, closed, reader)).toBe(true);
});

test('rows beyond the edges are counted, half a row is seen', () => {
  expect(offScreen(20, { scrollTop: 0, clientHeight: 720 }, 72)).toEqual({ above: 0, below: 10 });
  expect(offScreen(20, { scrollTop: 720, clientHeight: 720 }, 72)).toEqual({ above: 10, below: 0 });
  expect(offScreen(20, { scrollTop: 180, clientHeight: 700 }, 72)).toEqual({ above: 3, below: 8 });
  expect(offScreen(2, { scrollTop: 0, clientHeight: 720 }, 72)).toEqual({ above: 0, below: 0 });
});

test.each([
  [0, 'now', 0],
  [12, 'minutes', 12],
  [60, 'hours', 1],
  [1439, 'hours', 23],
  [2880, 'days', 2],
])('%i minutes are told as %s', (minutes, unit, count) => {
  expect(waitOf(minutes)).toEqual({ unit, count });
});

test('what was woken is on top', () => {
  const first = { ...ticket(1, '2026-03-02T12:00:00Z'), priority: 'urgent' as const };
  const rows = [first, { ...ticket(2, '2026-03-02T12:05:00Z'), priority: 'normal' as const }];
  const news = { ...ticket(3, '2026-03-02T12:06:00Z'), priority: 'low' as const };
  const woken = { ...news, woken: 'due' as const };
  expect(idsOf(foldTicket(pagesOf(true, ...rows), woken, filters, reader))).toEqual([3, 1, 2]);
  expect(idsOf(foldTicket(pagesOf(false, ...rows), news, filters, reader))).toEqual([1, 2, 3]);
});

test('the priority comes before the wait, and an urgent one goes to the top at once', () => {
  const at = (minute: number) => `2026-03-02T12:0${minute}:00Z`;
  const rows = [
    { ...ticket(1, at(0)), priority: 'low' as const },
    { ...ticket(2, at(1)), priority: 'normal' as const },
    { ...ticket(3, at(2)), priority: 'normal' as const },
  ];
  const pages = pagesOf(false, ...rows);
  expect(idsOf(pages)).toEqual([2, 3, 1]);
  const news = { ...ticket(3, at(2)), priority: 'urgent' as const };
  expect(idsOf(foldTicket(pages, news, filters, reader))).toEqual([3, 2, 1]);
  const other = { ...ticket(4, at(9)), priority: 'high' as const };
  expect(idsOf(foldTicket(pagesOf(true, ...rows), other, filters, reader))).toEqual([4, 2, 3, 1]);
});
