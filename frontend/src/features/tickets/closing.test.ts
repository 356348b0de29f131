import { expect, test } from 'vitest';
import { filledIn, missingOf } from './closing';

const contact = {
  name: 'Lia',
  email: '',
  extraInfo: [
    { id: 1, name: 'Endereço', value: 'Rua A' },
    { id: 2, name: 'cpf', value: ' ' },
  ],
};

test('case and accents of a name do not count, and an empty value is missing', () => {
  expect(missingOf(contact, ['E-mail', 'CPF', 'endereco', 'Pedido'])).toEqual([
    'E-mail',
    'CPF',
    'Pedido',
  ]);
  expect(missingOf({ ...contact, email: 'lia@example.com' }, ['email'])).toEqual([]);
});

test('an empty line gets the value, a missing one is added, and others stay', () => {
  expect(filledIn(contact, { email: ' lia@example.com ', CPF: '529', Pedido: '77' })).toEqual({
    name: 'Lia',
    email: 'lia@example.com',
    extraInfo: [
      { id: 1, name: 'Endereço', value: 'Rua A' },
      { id: 2, name: 'cpf', value: '529' },
      { name: 'Pedido', value: '77' },
    ],
  });
  expect(filledIn(contact, { email: 'lia@example.com' })).toEqual({
    name: 'Lia',
    email: 'lia@example.com',
  });
});
