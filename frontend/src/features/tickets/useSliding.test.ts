import { expect, test } from 'vitest';
import { shiftOf } from './useSliding';

const placesOf = (ids: number[]) => new Map(ids.map((id, index) => [id, index]));

test('rows above that came or left shift what is in sight', () => {
  expect(shiftOf([5, 4, 3, 2, 1], placesOf([9, 5, 4, 3, 2, 1]), 2)).toBe(1);
  expect(shiftOf([5, 4, 3, 2, 1], placesOf([4, 3, 2, 1]), 2)).toBe(-1);
});

test('the row that moved itself is no measure', () => {
  const many = Array.from({ length: 20 }, (_, index) => 20 - index);
  const now = [8, ...many.filter((id) => id !== 8)];
  expect(shiftOf(many, placesOf(now), 12)).toBe(0);
  expect(shiftOf(many, placesOf([99, ...now]), 8)).toBe(2);
});
