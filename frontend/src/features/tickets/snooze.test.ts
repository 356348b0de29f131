import { expect, test } from 'vitest';
import { presetsFor } from './snooze';

const days = (now: Date) =>
  presetsFor(now).map(({ id, at }) => [id, at.getDate(), at.getHours(), at.getMinutes()]);

test('on a Wednesday: tomorrow, the day after, and Monday, at nine', () => {
  expect(days(new Date(2026, 11, 2, 15, 30))).toEqual([
    ['tomorrow', 3, 9, 0],
    ['weekday', 4, 9, 0],
    ['week', 7, 9, 0],
  ]);
});

test.each([
  ['Saturday', 5, ['tomorrow', 'weekday']],
  ['Sunday', 6, ['tomorrow', 'weekday']],
  ['Monday', 7, ['tomorrow', 'weekday', 'week']],
])('on a %s no day is offered twice', (_name, day, ids) => {
  expect(presetsFor(new Date(2026, 11, day, 8)).map(({ id }) => id)).toEqual(ids);
});
