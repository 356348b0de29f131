import { expect, test } from 'vitest';
import { partsOf } from './highlight';

const hits = (text: string, searched: string) =>
  partsOf(text, searched)
    .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
    .join('');

test('words are marked whatever their accents and case', () => {
  expect(hits('A travéssa, a TRAVESSA e as travessas', 'Travessã')).toBe(
    'A [travéssa], a [TRAVESSA] e as [travessa]s',
  );
});

test('letters made of several signs stay whole', () => {
  expect(hits('Cafe\u0301 e açaí 👍🏽', 'cafe')).toBe('[Cafe\u0301] e açaí 👍🏽');
  expect(hits('👍🏽 açaí', 'acai')).toBe('👍🏽 [açaí]');
});

test('nothing searched marks nothing', () => {
  expect(partsOf('Olá', '  ')).toEqual([{ text: 'Olá', isHit: false }]);
});
