import { expect, test } from 'vitest';
import { foldSetting } from './fold';

const settings = [
  { key: 'call', value: 'enabled' },
  { key: 'timeZone', value: 'America/Manaus' },
];

test('a change takes the place of what was known', () => {
  expect(foldSetting(settings, { key: 'call', value: 'disabled' })).toEqual([
    { key: 'call', value: 'disabled' },
    { key: 'timeZone', value: 'America/Manaus' },
  ]);
});

test('a setting that was not known is added', () => {
  expect(foldSetting(settings, { key: 'asaas', value: '' })).toHaveLength(3);
});

test('what is known already changes nothing', () => {
  expect(foldSetting(settings, { key: 'call', value: 'enabled' })).toBe(settings);
});
