import { expect, test } from 'vitest';
import { DEFAULTS, isSameKey, optionsWith, readSettings } from './settings';

const row = (key: string, value: string, id = 1) => ({ id, key, value });

test('the rows hold JSON, and what is not there is as at first', () => {
  const settings = readSettings([
    row('messageInterval', '5'),
    row('variables', '[{"key":"cupom","value":"MAES10"},{"key":3}]'),
  ]);
  expect(settings).toEqual({
    ...DEFAULTS,
    messageInterval: 5,
    variables: [{ key: 'cupom', value: 'MAES10' }],
  });
});

test('a value that cannot be read is as at first', () => {
  expect(readSettings([row('greaterInterval', '{'), row('variables', '"x"')])).toEqual({
    messageInterval: 20,
    longerIntervalAfter: 20,
    greaterInterval: 60,
    variables: [],
  });
});

test('a stored interval is offered beside the usual ones', () => {
  expect(optionsWith([0, 5], 3)).toEqual([0, 3, 5]);
  expect(optionsWith([0, 5], 5)).toEqual([0, 5]);
});

test('shortcuts are one regardless of case, accents and spaces', () => {
  expect(isSameKey(' Promoção', 'promocao')).toBe(true);
  expect(isSameKey('cupom', 'cupom2')).toBe(false);
});
