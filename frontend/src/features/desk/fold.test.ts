import { expect, test } from 'vitest';
import { foldPresence } from './fold';
import type { Presence } from './types';

const presence = (changes: Partial<Presence>): Presence => ({
  userId: 1,
  presence: 'online',
  reason: '',
  since: '2026-03-04T12:00:00Z',
  until: null,
  away: false,
  ...changes,
});

test('a later presence takes the place of the earlier one, and of nobody else’s', () => {
  const other = presence({ userId: 2 });
  const paused = presence({ presence: 'paused', since: '2026-03-04T12:05:00Z' });
  expect(foldPresence([presence({}), other], paused)).toEqual([paused, other]);
});

test('an event that comes late changes nothing', () => {
  const now = [presence({ since: '2026-03-04T12:05:00Z' })];
  expect(foldPresence(now, presence({ presence: 'offline' }))).toBe(now);
});

test('who was not known is added', () => {
  expect(foldPresence([], presence({}))).toEqual([presence({})]);
});
