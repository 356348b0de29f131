import { expect, test } from 'vitest';
import { nextAfter } from './next';

const row = (id: number, minute: number) => ({
  id,
  updatedAt: `2026-01-01T12:0${minute}:00Z`,
});
const rows = [row(4, 4), row(3, 3), row(2, 2), row(1, 1)];

test('the one below is next', () => {
  expect(nextAfter(rows, row(3, 3))?.id).toBe(2);
});

test('after the last one it is the one above', () => {
  expect(nextAfter(rows, row(1, 1))?.id).toBe(2);
});

test('it is the same when the finished one has left the list already', () => {
  const others = rows.filter(({ id }) => id !== 3);
  expect(nextAfter(others, row(3, 3))?.id).toBe(2);
});

test('tickets of one moment follow each other by their ids', () => {
  const same = [row(9, 1), row(8, 1), row(7, 1)];
  expect(nextAfter(same, row(8, 1))?.id).toBe(7);
});

test('nothing else is nothing next', () => {
  expect(nextAfter([row(3, 3)], row(3, 3))).toBeNull();
  expect(nextAfter([], row(3, 3))).toBeNull();
});
