import { expect, test } from 'vitest';
import { nextPlace, QUEUE, userOf } from './drag';

const PLACES = [QUEUE, 4, 9];

test.each([
  [QUEUE, 1, 4],
  [4, 1, 9],
  [9, 1, 9],
  [4, -1, QUEUE],
  [QUEUE, -1, QUEUE],
  [null, 1, QUEUE],
] as const)('from %s by %s comes %s', (at, step, next) => {
  expect(nextPlace(PLACES, at, step)).toBe(next);
});

test('the queue is nobody', () => {
  expect([userOf(QUEUE), userOf(4)]).toEqual([null, 4]);
});
