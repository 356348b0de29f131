import { expect, test } from 'vitest';
import type { Tag } from '@/features/tags/api';
import type { Ticket } from '@/features/tickets/api';
import { adjacentLane } from './drag';
import { foldLanes, inLane, inOrder, laneOf, OPEN_LANE } from './lanes';
import { formatFilters, parseFilters } from './view';

const tag = (id: number, name: string, kanban = 1) =>
  ({ id, name, color: '#888888', kanban }) as Tag;
const ticket = (...tags: ReturnType<typeof tag>[]) => ({ tags }) as unknown as Ticket;
const names = (lanes: { name: string }[]) => lanes.map(({ name }) => name);

test('a ticket without a kanban tag is open; of several lanes the oldest counts', () => {
  expect(laneOf(ticket(tag(3, 'VIP', 0)))).toBe(OPEN_LANE);
  expect(laneOf(ticket(tag(8, 'B'), tag(5, 'A'), tag(1, 'VIP', 0)))).toBe(5);
});

test('a move replaces the kanban tags and no other', () => {
  const moved = inLane(ticket(tag(3, 'VIP', 0), tag(5, 'A'), tag(6, 'B')), tag(7, 'C'));
  expect(moved.tags.map(({ id }) => id)).toEqual([3, 7]);
  expect(inLane(moved, null).tags.map(({ id }) => id)).toEqual([3]);
});

test('lanes stand by name, numbers by their value', () => {
  const lanes = [tag(1, '10. Entrega'), tag(2, 'Á parte'), tag(3, '2. Separação')];
  expect(names(inOrder(lanes))).toEqual(['2. Separação', '10. Entrega', 'Á parte']);
});

test('lanes come, change and go as their tags do', () => {
  const lanes = foldLanes([tag(1, 'A')], { action: 'create', tag: tag(2, 'B') });
  expect(names(lanes)).toEqual(['A', 'B']);
  expect(names(foldLanes(lanes, { action: 'update', tag: tag(1, 'Z') }))).toEqual(['B', 'Z']);
  expect(names(foldLanes(lanes, { action: 'update', tag: tag(1, 'A', 0) }))).toEqual(['B']);
  expect(names(foldLanes(lanes, { action: 'create', tag: tag(9, 'C', 0) }))).toEqual(['A', 'B']);
  expect(names(foldLanes(lanes, { action: 'delete', tagId: 2 }))).toEqual(['A']);
});

test('the neighbour of the last lane is itself', () => {
  expect(adjacentLane([0, 5, 6], 5, 1)).toBe(6);
  expect(adjacentLane([0, 5, 6], 6, 1)).toBe(6);
  expect(adjacentLane([0, 5, 6], 0, -1)).toBe(0);
});

test('filters survive the address, what is usual being left out', () => {
  const filters = { showAll: false, queues: [0, 3] };
  expect(formatFilters(filters, true).toString()).toBe('all=0&queues=0%2C3');
  expect(parseFilters(formatFilters(filters, true), true)).toEqual(filters);
  expect(formatFilters({ showAll: true, queues: [] }, true).toString()).toBe('');
  expect(parseFilters(new URLSearchParams('queues=x,-1'), true)).toEqual({
    showAll: true,
    queues: [],
  });
});
