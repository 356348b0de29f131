import { expect, test, vi } from 'vitest';
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

test('an address is more than its beginning', () => {
  expect(parseMarkup('https://) e www...')).toEqual([text('https://) e www...')]);
});

/** Counts the characters that the parser reads. */
function looksAt(text: string): number {
  let looks = 0;
  const indexOf = Reflect.get(String.prototype, 'indexOf');
  const one = vi.spyOn(RegExp.prototype, 'test');
  const many = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (
    this: string,
    words: string,
    from = 0,
  ) {
    const at = indexOf.call(this, words, from);
    looks += (at < 0 ? this.length : at) - from + 1;
    return at;
  });
  try {
    parseMarkup(text);
    return looks + one.mock.calls.length;
  } finally {
    one.mockRestore();
    many.mockRestore();
  }
}

// Inputs that made a parser start again at each character, with text before and after.
const HOSTILE = 'a. a@ a@b. a@b *a_b~ *_~ * ` `` ``` www. www.) https:// http://a( ) é 😀 {{'.split(
  ' ',
);

test.each([...HOSTILE, '*a ', ' *a', '`a\n', '*a\n', ' ', '\n'])(
  'twice as many of %j take twice as many looks',
  (part) => {
    for (const [before, after] of [
      ['', ''],
      ['x', 'x'],
      ['*', ''],
      ['a@', '*'],
      ['www.a', ' .'],
      ['```', '`'],
    ]) {
      const of = (count: number) => looksAt(`${before}${part.repeat(count)}${after}`);
      const [few, many] = [of(500), of(1000)];
      expect(few).toBeGreaterThan(50);
      expect(many).toBeLessThan(2.2 * few);
    }
  },
);

test('a customer may write 65,536 letters', () => {
  const words = 'a.'.repeat(32_768);
  expect(parseMarkup(words)).toEqual([text(words)]);
  expect(plainText(words)).toBe(words);
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
