import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { composerMode, mayServe, mayWrite } from './rules';
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
  expect(at(hours(1))).toEqual({ kind: 'write', minutesLeft: null });
  expect(at(hours(21.5))).toEqual({ kind: 'write', minutesLeft: 150 });
  expect(at(hours(24))).toEqual({ kind: 'windowClosed' });
  expect(at(null)).toEqual({ kind: 'windowClosed' });
});

test('a refusal by the server closes it until the contact writes again', () => {
  const refusedAt = hours(0.5);
  expect(composerMode(makeTicket(), holder, { ...fresh, refusedAt }).kind).toBe('windowClosed');
  const wroteAgain = { ...fresh, refusedAt, lastInboundAt: hours(0.1) };
  expect(composerMode(makeTicket(), holder, wroteAgain).kind).toBe('write');
});

test('QR sessions have no window', () => {
  const beta = { ...fresh, provider: 'beta', lastInboundAt: hours(100) };
  expect(composerMode(makeTicket(), holder, beta)).toEqual({ kind: 'write', minutesLeft: null });
});
