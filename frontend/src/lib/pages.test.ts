import { expect, test } from 'vitest';
import { pageNumbers } from './pages';

test.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 5, [1, 2, 0, 5]],
  [3, 5, [1, 2, 3, 4, 5]],
  [6, 20, [1, 0, 5, 6, 7, 0, 20]],
  [20, 20, [1, 0, 19, 20]],
])('on page %i of %i there are buttons for %o', (current, last, numbers) => {
  expect(pageNumbers(current, last)).toEqual(numbers);
});
