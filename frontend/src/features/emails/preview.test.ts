import { expect, test } from 'vitest';
import { previewOf } from './preview';

test('a preview has a hundred characters of one line', () => {
  expect(previewOf('Olá,\n\nAna')).toBe('Olá, Ana');
  expect(previewOf('a'.repeat(100))).toBe('a'.repeat(100));
  expect(previewOf('😀'.repeat(101))).toBe(`${'😀'.repeat(100)}…`);
});
