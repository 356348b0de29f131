import { expect, test } from 'vitest';
import { companyFields, companySchema, companyValues, extended } from './schemas';
import type { Company } from './types';

const NOW = new Date(2026, 4, 20, 12);
const acme = {
  id: 7,
  name: 'Acme',
  email: 'dona@acme.example',
  phone: '',
  planId: 3,
  status: true,
  dueDate: '2026-05-31',
  recurrence: 'MENSAL',
  settings: [{ key: 'campaignsEnabled', value: 'enabled' }],
  billingName: '',
  addressZipCode: '',
  addressStreet: '',
  addressState: '',
  addressCity: '',
  addressDistrict: '',
} as unknown as Company;

test('a due date is extended from itself, or from today where it is past', () => {
  expect(extended('2026-05-31', 1, NOW)).toBe('2026-06-30');
  expect(extended('2026-06-10', 12, NOW)).toBe('2027-06-10');
  expect(extended('2026-01-31', 2, NOW)).toBe('2026-07-20');
  expect(extended('', 3, NOW)).toBe('2026-08-20');
  expect(extended('amanhã', 6, NOW)).toBe('2026-11-20');
});

test('of a stored company only what was changed goes out', () => {
  const form = companyValues(acme);
  expect(companyFields(form, acme)).toEqual({});
  expect(companyFields({ ...form, status: 'false', planId: '4' }, acme)).toEqual({
    status: false,
    planId: 4,
  });
  for (const dueDate of ['', 'amanhã', '2026-02-31'])
    expect(companyFields({ ...form, dueDate }, acme)).toEqual({ dueDate: null });
});

test('a new one has what is usual, and no password where none was typed', () => {
  const fields = companyFields({ ...companyValues(null), name: 'Nova', planId: '3' }, null);
  expect(fields).toMatchObject({
    name: 'Nova',
    planId: 3,
    status: true,
    campaignsEnabled: true,
    dueDate: null,
    recurrence: 'MENSAL',
  });
  expect(fields).not.toHaveProperty('password');
});

test('a first admin needs an address to sign in with', () => {
  const form = { ...companyValues(null), name: 'Nova', planId: '3', password: 'segredo' };
  expect(companySchema.safeParse(form).error?.issues[0]?.path).toEqual(['email']);
  expect(companySchema.safeParse({ ...form, email: 'a@b.example' }).success).toBe(true);
});
