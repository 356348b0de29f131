import { expect, test } from 'vitest';
import { bestOf } from './variants';

const variant = (number: number, delivered: number, answered: number) => ({
  number,
  sent: delivered,
  delivered,
  read: answered,
  answered,
});

test('the text that is clearly answered more is the best', () => {
  expect(bestOf([variant(1, 500, 40), variant(3, 500, 120)])).toBe(3);
});

test('a difference that chance makes names nobody', () => {
  expect(bestOf([variant(1, 100, 20), variant(2, 100, 23)])).toBeNull();
});

test('few deliveries name nobody, nor does a single text', () => {
  expect(bestOf([variant(1, 29, 29), variant(2, 29, 0)])).toBeNull();
  expect(bestOf([variant(1, 500, 100)])).toBeNull();
});

test('without any answer there is no best', () => {
  expect(bestOf([variant(1, 100, 0), variant(2, 100, 0)])).toBeNull();
});
