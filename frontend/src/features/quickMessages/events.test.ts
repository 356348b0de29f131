import { expect, test } from 'vitest';
import { foldQuickMessage } from './events';
import { makeQuickMessage } from './testData';

const list = [makeQuickMessage(1, 'etiqueta'), makeQuickMessage(2, 'troca')];
const names = (rows: readonly { shortcode: string }[]) => rows.map(({ shortcode }) => shortcode);

test('a new one takes its place by shortcode', () => {
  const record = makeQuickMessage(3, 'saudação');
  expect(names(foldQuickMessage(list, { action: 'create', record }))).toEqual([
    'etiqueta',
    'saudação',
    'troca',
  ]);
});

test('a change replaces, also one that the list did not know', () => {
  const record = makeQuickMessage(2, 'abrir', { updatedAt: '2026-01-02T00:00:00Z' });
  expect(names(foldQuickMessage(list, { action: 'update', record }))).toEqual([
    'abrir',
    'etiqueta',
  ]);
  expect(names(foldQuickMessage([], { action: 'update', record }))).toEqual(['abrir']);
});

test('one that is switched off or deleted goes', () => {
  const record = makeQuickMessage(2, 'troca', { status: false });
  expect(names(foldQuickMessage(list, { action: 'update', record }))).toEqual(['etiqueta']);
  expect(names(foldQuickMessage(list, { action: 'delete', id: 1 }))).toEqual(['troca']);
  expect(foldQuickMessage(list, { action: 'delete', id: 9 })).toEqual(list);
});

test('an event that was overtaken changes nothing', () => {
  const record = makeQuickMessage(2, 'velho', { updatedAt: '2025-01-01T00:00:00Z' });
  expect(foldQuickMessage(list, { action: 'update', record })).toEqual(list);
});
