import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { can, planAllows } from './permissions';

test('a permission is held when the server lists it', () => {
  expect(can(makeUser(), 'tickets-manager:showall')).toBe(true);
  expect(can(makeUser({ permissions: [] }), 'tickets-manager:showall')).toBe(false);
  expect(can(null, 'tickets-manager:showall')).toBe(false);
});

test('an absent plan flag means enabled, a false one does not', () => {
  const { company } = makeUser();
  expect(planAllows(makeUser({ company: { ...company, plan: null } }), 'useOpenAi')).toBe(true);
  const plan = company.plan && { ...company.plan, useOpenAi: false };
  expect(planAllows(makeUser({ company: { ...company, plan } }), 'useOpenAi')).toBe(false);
});
