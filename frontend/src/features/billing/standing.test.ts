import { expect, test } from 'vitest';
import { standingOf, timeLeft } from './standing';

const NOON = new Date(2026, 4, 20, 12);

test('an invoice is overdue once its day is over, unless it is paid or cancelled', () => {
  expect(standingOf({ status: 'open', dueDate: '2026-05-20' }, NOON)).toBe('open');
  expect(standingOf({ status: 'open', dueDate: '2026-05-19' }, NOON)).toBe('overdue');
  expect(standingOf({ status: 'paid', dueDate: '2026-05-19' }, NOON)).toBe('paid');
  expect(standingOf({ status: 'cancelled', dueDate: '2026-05-19' }, NOON)).toBe('cancelled');
});

test('a code counts down to its end', () => {
  const now = Date.parse('2026-05-20T12:00:00Z');
  expect(timeLeft('2026-05-20T12:59:07Z', now)).toBe('59:07');
  expect(timeLeft('2026-05-20T12:00:00.400Z', now)).toBe('0:01');
  expect(timeLeft('2026-05-20T12:00:00Z', now)).toBeNull();
});
