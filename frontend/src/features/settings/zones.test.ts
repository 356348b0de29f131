import { expect, test } from 'vitest';
import { zonesAt } from './zones';

const WINTER = new Date('2026-07-01T12:00:00Z');

test("Brazil's zones come first, by the names people know", () => {
  const { brazil, world } = zonesAt(WINTER, 'America/Sao_Paulo');
  expect(brazil[0]).toEqual({ value: 'America/Sao_Paulo', label: 'São Paulo e Brasília (GMT-3)' });
  expect(world.some(({ value }) => value === 'America/Sao_Paulo')).toBe(false);
  expect(world.find(({ value }) => value === 'Europe/Lisbon')?.label).toBe('Lisbon (GMT+1)');
});

test('the zone in use is offered even where this browser does not know it', () => {
  const { world } = zonesAt(WINTER, 'Mars/Base');
  expect(world).toContainEqual({ value: 'Mars/Base', label: 'Base' });
});
