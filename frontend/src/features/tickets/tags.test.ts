import { expect, test } from 'vitest';
import type { Tag } from '@/features/tags/api';
import { creatableName, matchingTags, switchTag } from './tags';

const tag = (id: number, name: string, kanban = 0) =>
  ({ id, name, kanban, color: '#3E7BD6' }) as Tag;

const TAGS = [tag(1, 'Atacado'), tag(2, 'Orçamento'), tag(3, 'VIP')];
const names = (found: { name: string }[]) => found.map(({ name }) => name);

test('tags are found whatever the accents and the case, chosen ones first', () => {
  expect(names(matchingTags(TAGS, 'ORCA', new Set()))).toEqual(['Orçamento']);
  expect(names(matchingTags(TAGS, ' ', new Set([3])))).toEqual(['VIP', 'Atacado', 'Orçamento']);
});

test('a new name of three letters makes a tag, a known one does not', () => {
  expect(creatableName(TAGS, '  Primeira compra ')).toBe('Primeira compra');
  expect(creatableName(TAGS, 'ab')).toBeNull();
  expect(creatableName(TAGS, 'orcamento')).toBeNull();
});

test('switching a tag puts it among the others by name, or takes it off', () => {
  const on = switchTag([tag(3, 'VIP')], tag(1, 'Atacado'));
  expect(names(on)).toEqual(['Atacado', 'VIP']);
  expect(names(switchTag(on, tag(3, 'VIP')))).toEqual(['Atacado']);
});

test('a lane takes the place of the lane before it and of nothing else', () => {
  const before = [tag(3, 'VIP'), tag(7, 'Em separação', 1)];
  expect(names(switchTag(before, tag(8, 'Enviado', 1)))).toEqual(['Enviado', 'VIP']);
});
