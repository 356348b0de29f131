import { expect, test } from 'vitest';
import { ticketsOf } from './fold';
import { foldRelated } from './related';
import type { Ticket, TicketPages } from './types';

const tag = (id: number, name: string) => ({ id, name, color: '#888888', kanban: 0 });
const ticket = (id: number, fields: Partial<Ticket>) =>
  ({ id, contactId: id, tags: [], updatedAt: '', ...fields }) as unknown as Ticket;
const pagesOf = (...tickets: Ticket[]): TicketPages => ({
  pages: [{ tickets, count: tickets.length, hasMore: false }],
  pageParams: [1],
});
const pages = pagesOf(
  ticket(2, { tags: [tag(5, 'Atraso'), tag(6, 'VIP')], userId: 7 }),
  ticket(1, {}),
);
const [first, second] = ticketsOf(pages);

test('a tag shows its new name and colour where it is carried', () => {
  const now = { name: 'Trem', color: '#C7302B', kanban: 1 };
  const [changed, other] = ticketsOf(foldRelated(pages, { kind: 'tag', id: 6, now }));
  expect(changed?.tags).toEqual([tag(5, 'Atraso'), { id: 6, ...now }]);
  expect(other).toBe(second);
});

test('a deleted tag leaves its rows', () => {
  const [changed] = ticketsOf(foldRelated(pages, { kind: 'tag', id: 5, now: null }));
  expect(changed?.tags).toEqual([tag(6, 'VIP')]);
});

test('what no row shows changes nothing', () => {
  expect(foldRelated(pages, { kind: 'tag', id: 9, now: null })).toBe(pages);
  expect(foldRelated(pages, { kind: 'user', id: 9, now: { name: 'Ana' } })).toBe(pages);
});

test('a deleted contact takes its tickets along, one less each', () => {
  const fewer = foldRelated(pages, { kind: 'contact', id: 1, now: null });
  expect(ticketsOf(fewer)).toEqual([first]);
  expect(fewer.pages[0]?.count).toBe(1);
});
