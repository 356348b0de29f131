import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { closeSession, openSession, useSession } from './session';

const company = makeUser().company;
const plan = { ...company.plan, useCampaigns: false };

test('opening a session stores the keys that older pages know', () => {
  openSession({ token: 'abc', user: makeUser() });
  expect(useSession.getState().status).toBe('in');
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
    token: 'abc',
    companyId: '2',
    userId: '7',
    companyDueDate: '2030-12-14',
    cshow: 'true',
  });
});

test.each([
  ['true', 'true'],
  ['enabled', 'true'],
  ['false', null],
  ['disabled', null],
])('cshow follows the plan and the campaignsEnabled setting: %s', (value, cshow) => {
  openSession({ token: 'abc', user: makeUser({ company: { ...company, plan } }) });
  expect(localStorage.getItem('cshow')).toBeNull();
  const settings = [{ key: 'campaignsEnabled', value }];
  openSession({ token: 'abc', user: makeUser({ company: { ...company, plan, settings } }) });
  expect(localStorage.getItem('cshow')).toBe(cshow);
});

test('closing a session forgets its keys and nothing else', () => {
  localStorage.setItem('preferredTheme', 'dark');
  openSession({ token: 'abc', user: makeUser() });
  closeSession();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ preferredTheme: 'dark' });
  expect(useSession.getState()).toEqual({
    status: 'out',
    token: null,
    user: null,
    overdueSince: null,
    simulator: false,
    simulatedQr: false,
  });
});
