import { expect, test } from 'vitest';
import { stepsDone } from './api';

test('a company that works is not led again while its number is down', () => {
  expect(stepsDone([{ status: 'DISCONNECTED' }], 3, 5, true)).toEqual({
    number: true,
    queues: true,
    team: true,
    message: true,
  });
});

test('an empty one has everything before it, and a new number counts once it is connected', () => {
  const nothing = { number: false, queues: false, team: false, message: false };
  expect(stepsDone([{ status: 'OPENING' }], 0, 1, false)).toEqual(nothing);
  expect(stepsDone([{ status: 'CONNECTED' }], 0, 1, false)).toEqual({ ...nothing, number: true });
});
