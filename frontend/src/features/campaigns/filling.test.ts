import { expect, test } from 'vitest';
import { fillParameter, fillText, unknownIn, valuesFor } from './filling';

const person = { name: 'Mariana', email: 'mari@example.com', number: '5511984321107' };
const own = [
  { key: 'cupom', value: 'MAES10 {nome}' },
  { key: 'nome', value: 'ninguém' },
];
const values = valuesFor(person, own);

test('the person and the own variables are filled in, once', () => {
  expect(fillText('{nome} { email } {numero} {cupom}', values, {})).toBe(
    'Mariana mari@example.com 5511984321107 MAES10 {nome}',
  );
});

test('an unknown one stays in single braces and is empty in double ones', () => {
  expect(fillText('{outra} {} {{outra}}|{{ firstName }}', values, { firstName: 'Mariana' })).toBe(
    '{outra} {} |Mariana',
  );
});

test('a word of every object is no variable', () => {
  expect(fillText('{constructor} {{toString}}.', values, {})).toBe('{constructor} .');
});

test('a parameter takes one line, and nothing in double braces', () => {
  expect(fillParameter(' {nome},\n{numero} {{firstName}} {outra}', values)).toBe(
    'Mariana, 5511984321107 {outra}',
  );
});

test('what nothing fills in is named once', () => {
  expect(unknownIn('{cupom} {preço} {preço} {nome} {{hora}}', own)).toEqual(['preço']);
});
