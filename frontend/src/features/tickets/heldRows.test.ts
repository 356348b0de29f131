import { expect, test } from 'vitest';
import { heldRows } from './heldRows';
import type { Ticket } from './types';

const ticket = (id: number, lastMessage = '') => ({ id, lastMessage }) as Ticket;
const idsOf = (held: number[], now: number[]) => {
  const { rows, news } = heldRows(
    held.map((id) => ticket(id)),
    now.map((id) => ticket(id)),
  );
  return { ids: rows.map(({ ticket: { id }, isGone }) => (isGone ? -id : id)), news };
};

test('rows keep their places while new ones wait above', () => {
  expect(idsOf([3, 2, 1], [9, 3, 2, 1])).toEqual({ ids: [3, 2, 1], news: 1 });
});

test('tickets that moved up are counted as new ones are', () => {
  expect(idsOf([3, 2, 1], [1, 3, 2])).toEqual({ ids: [3, 2, 1], news: 1 });
  expect(idsOf([3, 2, 1], [1, 2, 3])).toEqual({ ids: [3, 2, 1], news: 2 });
  expect(idsOf([3, 2, 1], [9, 2, 3, 1, 0])).toEqual({ ids: [3, 2, 1, 0], news: 2 });
  expect(idsOf([3, 2, 1], [1, 2])).toEqual({ ids: [-3, 2, 1], news: 1 });
});

test('a row that left keeps its place, marked', () => {
  expect(idsOf([3, 2, 1], [3, 1])).toEqual({ ids: [3, -2, 1], news: 0 });
  expect(idsOf([3], [])).toEqual({ ids: [-3], news: 0 });
});

test('the next page comes below', () => {
  expect(idsOf([3, 2], [3, 2, 1, 0])).toEqual({ ids: [3, 2, 1, 0], news: 0 });
});

test('what a row shows is always as it is now', () => {
  const { rows } = heldRows([ticket(1, 'oi')], [ticket(1, 'tudo bem?')]);
  expect(rows[0]?.ticket.lastMessage).toBe('tudo bem?');
});
