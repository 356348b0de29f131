import { expect, test } from 'vitest';
import { next } from '../src/reconnecting.js';

const LINKED = { isLinked: true, hasOffered: false };
const NEW = { isLinked: false, hasOffered: false };
const OFFERED = { isLinked: false, hasOffered: true };

test.each([
  [LINKED, 515, { kind: 'again', afterSeconds: 0, reason: 'restart' }],
  [LINKED, 408, { kind: 'again', reason: 'connection_lost' }],
  [LINKED, 428, { kind: 'again', reason: 'connection_lost' }],
  [LINKED, 500, { kind: 'again', reason: 'unavailable' }],
  [LINKED, 503, { kind: 'again', reason: 'unavailable' }],
  [LINKED, 440, { kind: 'stop', status: 'DISCONNECTED', reason: 'replaced', wipes: false }],
  [LINKED, 401, { kind: 'stop', status: 'DISCONNECTED', reason: 'logged_out', wipes: true }],
  [LINKED, 403, { kind: 'stop', status: 'DISCONNECTED', reason: 'logged_out', wipes: true }],
  [LINKED, 411, { kind: 'stop', status: 'DISCONNECTED', reason: 'refused', wipes: false }],
  [OFFERED, 408, { kind: 'again', afterSeconds: 0, reason: 'qr_expired' }],
  [OFFERED, 428, { kind: 'again', reason: 'connection_lost' }],
  [NEW, 408, { kind: 'again', reason: 'connection_lost' }],
  [NEW, 401, { kind: 'again', reason: 'refused' }],
] as const)('%o after %i', (session, code, step) => {
  expect(next(code, session, 3)).toMatchObject(step);
});

test.each([408, 428, 500, 503])('after %i the waits grow to five minutes', (code) => {
  const longest = (failures: number) =>
    Math.max(
      ...Array.from({ length: 400 }, () => {
        const step = next(code, LINKED, failures);
        return step.kind === 'again' ? step.afterSeconds : -1;
      }),
    );
  expect(longest(0)).toBeLessThanOrEqual(2);
  expect(longest(3)).toBeGreaterThan(8);
  expect(longest(20)).toBeGreaterThan(240);
  expect(longest(20)).toBeLessThanOrEqual(300);
});

test.each([
  [428, 'qr_expired'],
  [503, 'qr_expired'],
  [405, 'refused'],
] as const)('after %i again and again somebody has to ask for a code anew', (code, reason) => {
  expect(next(code, NEW, 9)).toMatchObject({ kind: 'again' });
  expect(next(code, NEW, 10)).toMatchObject({ kind: 'stop', status: 'TIMEOUT', reason });
  expect(next(code, LINKED, 10).kind).toBe(code === 405 ? 'stop' : 'again');
});
