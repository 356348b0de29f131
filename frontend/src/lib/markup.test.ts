import { expect, test } from 'vitest';
import { isOnlyEmoji, parseMarkup, plainText, withoutSignature } from './markup';

const text = (words: string) => ({ kind: 'text', text: words });

test('marks are read and may hold one another', () => {
  expect(parseMarkup('*Ana:*\noi _muito ~bom~_ ```a*b*```')).toEqual([
    { kind: 'bold', children: [text('Ana:')] },
    text('\noi '),
    { kind: 'italic', children: [text('muito '), { kind: 'strike', children: [text('bom')] }] },
    text(' '),
    { kind: 'mono', text: 'a*b*' },
  ]);
});

test.each(['2*3*4', 'nome_do_arquivo', '* solto *', '**', '~ a ~', '*a\nb*'])(
  '%s holds no marks',
  (words) => {
    expect(parseMarkup(words)).toEqual([text(words)]);
  },
);

test('addresses keep their own signs and leave those of the sentence', () => {
  expect(parseMarkup('Veja https://a.com/x_y_z?b=1*2. Ou (www.b.com)!')).toEqual([
    text('Veja '),
    { kind: 'link', text: 'https://a.com/x_y_z?b=1*2', href: 'https://a.com/x_y_z?b=1*2' },
    text('. Ou ('),
    { kind: 'link', text: 'www.b.com', href: 'https://www.b.com' },
    text(')!'),
  ]);
  expect(parseMarkup('ana@loja.com.br')).toEqual([
    { kind: 'link', text: 'ana@loja.com.br', href: 'mailto:ana@loja.com.br' },
  ]);
});

test('nothing but web and mail addresses becomes a link', () => {
  const words = 'javascript:alert(1) data:text/html,x';
  expect(parseMarkup(words)).toEqual([text(words)]);
});

test('a preview has no marks and one line', () => {
  expect(plainText('*Ana:*\n_oi_   você')).toBe('Ana: oi você');
});

test.each([
  ['😍', true],
  ['😍🌵 👍🏽', true],
  ['👨‍👩‍👧 🇧🇷', true],
  ['❤️', true],
  ['😍😍😍😍', false],
  ['oi 😍', false],
  ['123', false],
  ['', false],
])('%j is only emoji: %s', (words, expected) => {
  expect(isOnlyEmoji(words)).toBe(expected);
});

test('a preview goes without the signature, and never without words', () => {
  expect(withoutSignature('*Ana Souza:*\nJá saiu para entrega')).toBe('Já saiu para entrega');
  expect(withoutSignature('*Ana Souza:* Já saiu')).toBe('Já saiu');
  expect(withoutSignature('Segue *isto:*\nzero')).toBe('Segue *isto:*\nzero');
  expect(withoutSignature('*Ana Souza:*')).toBe('*Ana Souza:*');
});
