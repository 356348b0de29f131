import { expect, test } from 'vitest';
import { limitsOf, policyForm, policyInput, policySchema } from './schemas';
import { POLICY } from './testData';

test('a form of stored rules gives the same rules', () => {
  expect(policyInput(policySchema.parse(policyForm(POLICY)))).toEqual(POLICY);
});

test.each([
  ['stickyDays', '0'],
  ['stickyDays', '91'],
  ['graceMinutes', '-1'],
  ['graceMinutes', '1,5'],
  ['fairLimit', ''],
])('%s of %j is refused with its limits', (name, typed) => {
  const found = policySchema.safeParse({ ...policyForm(POLICY), [name]: typed });
  expect(found.success).toBe(false);
  expect(limitsOf(found.error?.issues[0]?.message)).not.toBeNull();
});
