import { expect, test } from 'vitest';
import { makeUser } from '@/test/user';
import { may, opens, planAllows } from './permissions';

test('a permission is held and a page open when the server lists it', () => {
  expect(may(makeUser(), 'tickets:seeAll')).toBe(true);
  expect(may(makeUser({ granted: ['tickets:take'] }), 'tickets:seeAll')).toBe(false);
  expect(opens(makeUser(), 'costs')).toBe(true);
  expect(opens(makeUser({ pages: ['users'] }), 'costs')).toBe(false);
});

test('a feature is allowed by its flag of the plan', () => {
  const { company } = makeUser();
  const plan = { ...company.plan, useOpenAi: false };
  expect(planAllows(makeUser(), 'useOpenAi')).toBe(true);
  expect(planAllows(makeUser({ company: { ...company, plan } }), 'useOpenAi')).toBe(false);
});
