import { expect, test } from 'vitest';
import { foldHelp } from './fold';
import type { Help } from './types';

const made = (id: number, fields: Partial<Help> = {}): Help => ({
  id,
  title: `Passo ${id}`,
  description: '',
  video: 'dQw4w9WgXcQ',
  createdAt: '2026-01-01T12:00:00Z',
  updatedAt: '2026-01-01T12:00:00Z',
  ...fields,
});

const titles = (helps: Help[]) => helps.map(({ title }) => title);

test('a new one stands last, one that was missed where it was written', () => {
  const data = foldHelp([made(1), made(3)], { action: 'create', record: made(4) });
  expect(titles(data)).toEqual(['Passo 1', 'Passo 3', 'Passo 4']);
  const all = foldHelp(data, { action: 'update', record: made(2) });
  expect(titles(all)).toEqual(['Passo 1', 'Passo 2', 'Passo 3', 'Passo 4']);
});

test('a change takes the place of what was known, an older one none', () => {
  const record = made(1, { title: 'Começo', updatedAt: '2026-02-01T12:00:00Z' });
  const changed = foldHelp([made(1), made(2)], { action: 'update', record });
  expect(titles(changed)).toEqual(['Começo', 'Passo 2']);
  expect(foldHelp(changed, { action: 'update', record: made(1) })).toBe(changed);
});

test('one that is gone is gone', () => {
  expect(titles(foldHelp([made(1), made(2)], { action: 'delete', id: 1 }))).toEqual(['Passo 2']);
});
