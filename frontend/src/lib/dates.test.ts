import { expect, test } from 'vitest';
import { addMonths, dayOf, isDay, momentOf, readDay, weeksOf } from './dates';

const now = new Date(2026, 10, 22, 14, 30);

test.each([
  ['5/12/2026', '2026-12-05'],
  ['05/12/26', '2026-12-05'],
  ['05122026', '2026-12-05'],
  ['051226', '2026-12-05'],
  [' 5.12.2026 ', '2026-12-05'],
  ['5-12', '2026-12-05'],
  ['2026-12-05', '2026-12-05'],
  ['29/02/2028', '2028-02-29'],
])('%s is read as people mean it', (typed, day) => {
  expect(readDay(typed, now)).toBe(day);
});

test.each(['31/02/2027', '29/02/2027', '12/31/2026', '0/1/2026', 'amanhã', '5/', '', '1/1/202'])(
  '%s is no day',
  (typed) => {
    expect(readDay(typed, now)).toBeNull();
  },
);

test('a day and a time make a moment only when both exist', () => {
  expect(momentOf('2026-12-05', '08:05')).toEqual(new Date(2026, 11, 5, 8, 5));
  expect(momentOf('2026-02-31', '08:00')).toBeNull();
  expect(momentOf('2026-12-05', '24:00')).toBeNull();
  expect(momentOf('2026-12-05', '')).toBeNull();
  expect(isDay('31/12/2026')).toBe(false);
});

test('a month later is the same day, or the last of a shorter month', () => {
  expect(dayOf(addMonths(new Date(2027, 0, 31), 1))).toBe('2027-02-28');
  expect(dayOf(addMonths(new Date(2026, 11, 15), 1))).toBe('2027-01-15');
  expect(dayOf(addMonths(new Date(2026, 0, 31), -2))).toBe('2025-11-30');
  expect(dayOf(addMonths(new Date(2028, 1, 29), 12))).toBe('2029-02-28');
});

test('a month stands in whole weeks that begin on the first day of the language', () => {
  const november = weeksOf(now, 0);
  expect(november).toHaveLength(5);
  expect(november[0]?.map((date) => date?.getDate())).toEqual([1, 2, 3, 4, 5, 6, 7]);
  const spanish = weeksOf(now, 1);
  expect(spanish).toHaveLength(6);
  expect(spanish[0]?.map((date) => date && date.getDate())).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    1,
  ]);
  expect(spanish.flat().filter(Boolean)).toHaveLength(30);
});
