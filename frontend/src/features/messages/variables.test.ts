import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { protocolOf, zoneOf } from './variables';

test('the protocol is the day of opening in UTC and the id, as the server writes it', () => {
  expect(protocolOf({ id: 7, createdAt: '2026-01-05T01:30:00Z' })).toBe('20260105000007');
  expect(protocolOf({ id: 7, createdAt: '2026-01-04T23:30:00-03:00' })).toBe('20260105000007');
  expect(protocolOf({ id: 1234567, createdAt: '2026-12-31T12:00:00.123456Z' })).toBe(
    '202612311234567',
  );
});

test("the zone is the company's", () => {
  const user = makeUser();
  expect(zoneOf({ ...user, company: { ...user.company, settings: [] } })).toBe('America/Sao_Paulo');
  const settings = [{ key: 'timeZone', value: 'America/Manaus' }] as never;
  expect(zoneOf({ ...user, company: { ...user.company, settings } })).toBe('America/Manaus');
});
