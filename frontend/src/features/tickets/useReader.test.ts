import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useReader } from './useReader';

const attendant = (spying: string) => {
  const { company } = makeUser();
  const settings = [{ key: 'allowToSpyMessage', value: spying }] as typeof company.settings;
  return makeUser({ profile: 'user', permissions: [], company: { ...company, settings } });
};

test.each([
  ['an admin', makeUser(), true],
  ['an attendant', attendant('disabled'), false],
  ['an attendant of a company that lets everybody look', attendant('enabled'), true],
])('whether %s may look at every conversation', (_, user, seesAll) => {
  openSession({ token: 'abc', user });
  expect(renderHook(() => useReader()).result.current.seesAll).toBe(seesAll);
});
