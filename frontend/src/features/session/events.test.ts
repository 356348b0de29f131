import { expect, test } from 'vitest';
import { isTakenElsewhere } from './events';

const event = { action: 'update', user: { id: 7, tokenVersion: 4 }, tokenVersion: 4 } as const;

test('a newer login of the same user takes the session', () => {
  expect(isTakenElsewhere(event, 7, 3)).toBe(true);
});

test("one's own login and other users' logins do not", () => {
  expect(isTakenElsewhere(event, 7, 4)).toBe(false);
  expect(isTakenElsewhere(event, 8, 3)).toBe(false);
});
