import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { composerMode, mayServe, maySnooze, mayWrite, timeLeft, untilNextMinute } from './rules';
import { makeTicket } from './testData';

const queue = { id: 4, name: 'Trocas', color: '', UserQueue: { userId: 7, queueId: 4 } };
const holder = makeUser({ profile: 'user', queues: [queue] });
const colleague = makeUser({ id: 8, profile: 'user', queues: [queue] });
const outsider = makeUser({ id: 9, profile: 'user', queues: [] });
const admin = makeUser({ id: 1 });
const now = Date.parse('2026-03-02T12:00:00Z');
const hours = (count: number) => now - count * 3_600_000;
const fresh = { provider: 'official', lastInboundAt: hours(1), refusedAt: null, now };

const modeOf = (status: 'open' | 'pending' | 'closed', user: typeof holder, window = fresh) =>
  composerMode(makeTicket({ status }), user, window).kind;

test('the holder and admins write, others of the queue read', () => {
  expect(modeOf('open', holder)).toBe('write');
  expect(modeOf('open', admin)).toBe('write');
  expect(modeOf('open', colleague)).toBe('readOnly');
  expect(mayWrite(makeTicket({ status: 'pending' }), holder)).toBe(false);
});

test('who sees all and takes nothing reads alone', () => {
  const auditor = makeUser({ id: 5, granted: ['tickets:seeQueues', 'tickets:seeAll'] });
  expect(modeOf('open', auditor)).toBe('readOnly');
  expect(maySnooze(makeTicket(), auditor)).toBe(false);
  expect(maySnooze(makeTicket({ userId: 5 }), auditor)).toBe(true);
  expect(maySnooze(makeTicket(), admin)).toBe(true);
  expect(maySnooze(makeTicket({ status: 'pending' }), colleague)).toBe(true);
});

test('who serves the queue accepts and reopens, who does not only reads', () => {
  expect(modeOf('pending', colleague)).toBe('accept');
  expect(modeOf('closed', colleague)).toBe('reopen');
  expect(modeOf('pending', outsider)).toBe('readOnly');
  expect(modeOf('closed', outsider)).toBe('readOnly');
});

test('a ticket without a queue is an admin’s', () => {
  const ticket = makeTicket({ status: 'pending', queueId: null });
  expect(mayServe(ticket, holder)).toBe(false);
  expect(mayServe(ticket, admin)).toBe(true);
});

test('the official window closes 24 hours after the contact’s last message', () => {
  const ticket = makeTicket();
  const at = (lastInboundAt: number | null) =>
    composerMode(ticket, holder, { ...fresh, lastInboundAt });
  expect(at(hours(1))).toEqual({ kind: 'write', closesAt: now + 23 * 3_600_000 });
  expect(at(hours(24))).toEqual({ kind: 'windowClosed', never: false });
  expect(at(null)).toEqual({ kind: 'windowClosed', never: true });
});

test.each([
  [24 * 3_600_000 + 1, { hours: 24, minutes: 0, soon: false }],
  [23 * 3_600_000, { hours: 23, minutes: 0, soon: false }],
  [2 * 3_600_000, { hours: 2, minutes: 0, soon: false }],
  [2 * 3_600_000 - 1, { hours: 2, minutes: 0, soon: true }],
  [90 * 60_000, { hours: 1, minutes: 30, soon: true }],
  [60_001, { hours: 0, minutes: 2, soon: true }],
  [1, { hours: 0, minutes: 1, soon: true }],
  [0, null],
  [-5, null],
])('with %i ms left it says %j', (left, expected) => {
  expect(timeLeft(now + left, now)).toEqual(expected);
});

test('the clock wakes when the minutes change', () => {
  expect(untilNextMinute(now + 90_000, now)).toBe(30_000);
  expect(untilNextMinute(now + 120_000, now)).toBe(60_000);
  expect(untilNextMinute(now + 1, now)).toBe(1);
});

test('a refusal by the server closes it until the contact writes again', () => {
  const refusedAt = hours(0.5);
  expect(composerMode(makeTicket(), holder, { ...fresh, refusedAt }).kind).toBe('windowClosed');
  const wroteAgain = { ...fresh, refusedAt, lastInboundAt: hours(0.1) };
  expect(composerMode(makeTicket(), holder, wroteAgain).kind).toBe('write');
});

test('QR sessions have no window', () => {
  const beta = { ...fresh, provider: 'beta', lastInboundAt: hours(100) };
  expect(composerMode(makeTicket(), holder, beta)).toEqual({ kind: 'write', closesAt: null });
});
