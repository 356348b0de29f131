import { expect, test } from 'vitest';
import { nextAfter, stepFrom } from './next';

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

const named = [
  { id: 3, uuid: 'c' },
  { id: 2, uuid: 'b' },
  { id: 1, uuid: 'a' },
];

test('a step leads below and above the open one, and no further than the list', () => {
  expect(stepFrom(named, 'b', 1)?.id).toBe(1);
  expect(stepFrom(named, 'b', -1)?.id).toBe(3);
  expect(stepFrom(named, 'a', 1)).toBeUndefined();
  expect(stepFrom(named, 'c', -1)).toBeUndefined();
});

test('with none open a step opens the row that has the focus, else the first', () => {
  expect(stepFrom(named, undefined, 1, 2)?.id).toBe(2);
  expect(stepFrom(named, 'gone', -1, 2)?.id).toBe(2);
  expect(stepFrom(named, undefined, 1)?.id).toBe(3);
  expect(stepFrom(named.slice(3), undefined, 1)).toBeUndefined();
});
