import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { signedHeaders, STREAM, Verifier } from '../src/signing.js';

const SECRET = 'between us';
const TARGET = '/sessions/7/text?dry=1';

function lower(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

test('what we sign is accepted, once', () => {
  const verifier = new Verifier(SECRET);
  const headers = lower(signedHeaders(SECRET, 'POST', TARGET, '{}'));
  expect(verifier.accepts('POST', TARGET, headers, '{}')).toBe(true);
  expect(verifier.accepts('POST', TARGET, headers, '{}')).toBe(false);
});

test('another body, target, method or secret is refused', () => {
  const headers = lower(signedHeaders(SECRET, 'POST', TARGET, '{}'));
  expect(new Verifier(SECRET).accepts('POST', TARGET, headers, '{ }')).toBe(false);
  expect(new Verifier(SECRET).accepts('POST', '/sessions/8/text', headers, '{}')).toBe(false);
  expect(new Verifier(SECRET).accepts('GET', TARGET, headers, '{}')).toBe(false);
  expect(new Verifier('another').accepts('POST', TARGET, headers, '{}')).toBe(false);
  expect(new Verifier(SECRET).accepts('POST', TARGET, {}, '{}')).toBe(false);
});

test('a stream is signed as the word', () => {
  const headers = lower(signedHeaders(SECRET, 'POST', TARGET, STREAM));
  expect(new Verifier(SECRET).accepts('POST', TARGET, headers, STREAM)).toBe(true);
  expect(new Verifier(SECRET).accepts('POST', TARGET, headers, '')).toBe(false);
});

test('the head alone shows what is signed', () => {
  const headers = signedHeaders(SECRET, 'POST', TARGET, '{}');
  expect(headers['X-Gateway-Body']).toBe(createHash('sha256').update('{}').digest('hex'));
});

test('a minute later it is too old', () => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  const headers = lower(signedHeaders(SECRET, 'POST', TARGET, '{}'));
  vi.setSystemTime(1_000_000_061_000);
  expect(new Verifier(SECRET).accepts('POST', TARGET, headers, '{}')).toBe(false);
  vi.setSystemTime(1_000_000_059_000);
  expect(new Verifier(SECRET).accepts('POST', TARGET, headers, '{}')).toBe(true);
  vi.useRealTimers();
});
