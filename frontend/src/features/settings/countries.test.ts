import { expect, test } from 'vitest';
import { countryChoices } from './countries';

test('countries are named and sorted in the language of the reader', () => {
  const choices = countryChoices('pt', 'BR');
  expect(choices.find(({ value }) => value === 'BR')).toEqual({
    value: 'BR',
    label: 'Brasil (+55)',
  });
  const names = choices.map(({ label }) => label);
  expect(names.indexOf('Áustria (+43)')).toBeLessThan(names.indexOf('Brasil (+55)'));
});

test('a country that only the server knows is still shown', () => {
  expect(countryChoices('en', 'QZ').some(({ value }) => value === 'QZ')).toBe(true);
});
