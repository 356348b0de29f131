import { expect, test } from 'vitest';
import type { QuickMessage } from '@/features/quickMessages/api';
import { labelOf, matching, termOf } from './quickMessageSearch';

const makeQuickMessage = (
  id: number,
  shortcode: string,
  fields: Partial<QuickMessage> = {},
): QuickMessage => ({
  id,
  shortcode,
  message: '',
  geral: false,
  status: true,
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  isMedia: false,
  userId: 7,
  companyId: 2,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...fields,
});

const list = [
  makeQuickMessage(1, 'destroca', { message: 'Desfazer' }),
  makeQuickMessage(2, 'etiqueta', { message: 'A etiqueta da sua troca', mediaName: 'Coleta.pdf' }),
  makeQuickMessage(3, 'saudação', { message: 'Olá' }),
  makeQuickMessage(4, 'troca-prazo', { message: 'Trinta dias' }),
  makeQuickMessage(5, 'troca', { message: 'Envie a foto' }),
];
const found = (term: string) => matching(list, term).map(({ shortcode }) => shortcode);

test('a term begins with a slash and is longer than one character', () => {
  expect(termOf('/')).toBeNull();
  expect(termOf('')).toBeNull();
  expect(termOf('oi /troca')).toBeNull();
  expect(termOf('/a\nb')).toBeNull();
  expect(termOf('/t')).toBe('t');
  expect(termOf('/bom dia')).toBe('bom dia');
});

test('the exact shortcode comes first, then its beginnings, its parts and the text', () => {
  expect(found('troca')).toEqual(['troca', 'troca-prazo', 'destroca', 'etiqueta']);
});

test('case, accents and the slash do not count', () => {
  expect(found('SAUDACAO')).toEqual(['saudação']);
  expect(found('/Olá')).toEqual(['saudação']);
  expect(found('coleta.PDF')).toEqual(['etiqueta']);
  expect(found('nada disso')).toEqual([]);
});

test('without a term all are offered', () => {
  expect(found('')).toHaveLength(5);
  expect(found(' / ')).toHaveLength(5);
});

test('a label is cut at 35 characters and stands in one line', () => {
  const exact = makeQuickMessage(1, 'a', { message: 'x'.repeat(35) });
  expect(labelOf(exact)).toBe('x'.repeat(35));
  const longer = makeQuickMessage(1, 'a', { message: 'x'.repeat(36) });
  expect(labelOf(longer)).toBe(`${'x'.repeat(35)}…`);
  const blank = makeQuickMessage(1, 'a', { message: `${'x'.repeat(34)} y` });
  expect(labelOf(blank)).toBe(`${'x'.repeat(34)} …`);
  const lines = makeQuickMessage(1, 'a', { message: '*Olá*,\n\ntudo bem?' });
  expect(labelOf(lines)).toBe('Olá, tudo bem?');
  const emoji = makeQuickMessage(1, 'a', { message: '🧡'.repeat(36) });
  expect(labelOf(emoji)).toBe(`${'🧡'.repeat(35)}…`);
  const named = makeQuickMessage(1, 'a', { message: '{{firstName}}, é só enviar' });
  expect(labelOf(named, (text) => text.replace('{{firstName}}', 'Ana'))).toBe('Ana, é só enviar');
  expect(labelOf(makeQuickMessage(1, 'a', { message: '', mediaName: 'a.pdf' }))).toBe('a.pdf');
});
