import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { can, planAllows } from './permissions';

test('a permission is held when the server lists it', () => {
  expect(can(makeUser(), 'tickets-manager:showall')).toBe(true);
  expect(can(makeUser({ permissions: [] }), 'tickets-manager:showall')).toBe(false);
  expect(can(null, 'tickets-manager:showall')).toBe(false);
});

test('a feature is allowed by its flag of the plan', () => {
  const { company } = makeUser();
  const plan = { ...company.plan, useOpenAi: false };
  expect(planAllows(makeUser(), 'useOpenAi')).toBe(true);
  expect(planAllows(makeUser({ company: { ...company, plan } }), 'useOpenAi')).toBe(false);
});
