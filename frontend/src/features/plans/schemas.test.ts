import { expect, test } from 'vitest';
import { planFields, planSchema, planValues, readReais } from './schemas';

test('an amount is read as people write it', () => {
  expect(['49,90', '49.9', 'R$ 1.234,50', '0', ' 7 '].map(readReais)).toEqual([
    '49.90',
    '49.90',
    '1234.50',
    '0.00',
    '7.00',
  ]);
  expect(['', 'caro', '-1', '1,234', '999999999'].map(readReais)).toEqual(Array(5).fill(null));
});

test('a new plan is without limits and has everything', () => {
  const values = planValues(null);
  expect(planFields({ ...values, name: 'Básico' })).toEqual({
    name: 'Básico',
    value: '0.00',
    users: 0,
    connections: 0,
    queues: 0,
    campaigns: 0,
    schedules: 0,
    useCampaigns: true,
    useSchedules: true,
    useInternalChat: true,
    useExternalApi: true,
    useKanban: true,
    useOpenAi: true,
    useIntegrations: true,
    isPublic: true,
  });
});

test('what cannot be is told at its field', () => {
  const found = planSchema.safeParse({ ...planValues(null), name: 'A', users: '-1', value: 'x' });
  expect(found.error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['name', 'field.tooShort'],
    ['value', 'plans:errors.value'],
    ['users', 'plans:errors.limit'],
  ]);
});
