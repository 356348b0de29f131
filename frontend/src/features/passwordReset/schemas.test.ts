import { expect, test } from 'vitest';
import { askSchema, codeIn, codeOf, newPasswordSchema } from './schemas';

test.each([
  ['ab2c-d3ef', 'AB2CD3EF'],
  [' ab 2c ', 'AB2C'],
  ['AB2CD3EFGH', 'AB2CD3EF'],
])('of %o the code keeps %s', (typed, kept) => {
  expect(codeOf(typed)).toBe(kept);
});

test('the code is found in the whole e-mail', () => {
  expect(codeIn('Olá, Ana!\n\nO código é:\n\nAB2CD3EF\n\nEle vale por 15 minutos.')).toBe(
    'AB2CD3EF',
  );
  expect(codeIn('ab2cd3ef')).toBe('AB2CD3EF');
});

function reasons(form: Record<string, string>) {
  const { error } = newPasswordSchema.safeParse(form);
  const told: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) told[String(path[0])] = message;
  return told;
}

test.each([
  ['Abcdefg1', {}],
  ['Ção-áé-1', {}],
  ['abcdefg1', { password: 'weak' }],
  ['ABCDEFG1', { password: 'weak' }],
  ['Abcdefgh', { password: 'weak' }],
  ['Abcde1', { password: 'weak' }],
  [`Ab1${'x'.repeat(48)}`, { password: 'tooLong' }],
])('the password %s is judged', (password, expected) => {
  expect(reasons({ code: 'A', password, confirmation: password })).toEqual(expected);
});

test('empty fields and another confirmation are told each at its field', () => {
  expect(reasons({ code: '', password: '', confirmation: '' })).toEqual({
    code: 'required',
    password: 'required',
    confirmation: 'required',
  });
  expect(reasons({ code: '', password: 'Abcdefg1', confirmation: 'Abcdefg2' })).toEqual({
    code: 'required',
    confirmation: 'differs',
  });
});

test.each([
  ['', 'emailRequired'],
  ['ana', 'emailInvalid'],
])('the address %o is refused', (email, reason) => {
  expect(askSchema.safeParse({ email }).error?.issues[0]?.message).toBe(reason);
});
