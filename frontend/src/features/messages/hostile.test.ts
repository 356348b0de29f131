/** What a customer may write to hang the browser is read at once, and makes few elements. */
import { expect, test } from 'vitest';
import { isOnlyEmoji, MOST_MARKS, parseMarkup, withoutSignature, type Node } from '@/lib/markup';
import { findFolded, foldText } from '@/lib/search';
import { fillVariables } from '@/lib/variables';
import { MOST_HITS, partsOf } from './highlight';
import {
  MOST_CARDS,
  MOST_CHOICES,
  MOST_NUMBERS,
  parseCards,
  parseChoices,
  parseCloudCards,
  parseLocation,
} from './parse';
import { variablesIn } from './templates/filling';

const LONGEST = 65_536;
const long = (piece: string) => piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST);

const PIECES = [
  ...['a ', ' ', '\n', '\r\n ', '*a* ', '~*_a_*~ ', '`a` ', '**a', 'a@b.c ', 'www.a ', '(www.'],
  ...['{{a}}', '{{ ', '|', '😍 ', '👨‍', 'e\u0301', '\ufdfa', '+1 (', 'TEL:1\n', '\\n'],
  'BEGIN:VCARD\nTEL:1\n',
];
const READERS: Record<string, (text: string) => unknown> = {
  parseMarkup,
  isOnlyEmoji,
  withoutSignature: (text) => [withoutSignature(text), withoutSignature(`*Ana:*${text}`)],
  foldText,
  findFolded: (text) => findFolded(text, 'zz'),
  fillVariables: (text) => fillVariables(`{{${text}`, { a: 'b' }),
  variablesIn: (text) => variablesIn(`{{${text}`),
  partsOf: (text) => [partsOf(text, 'a'), partsOf(text, long('a'))],
  parseCards: (text) => [parseCards(text), parseCards(`BEGIN:VCARD\nFN:${text}`)],
  parseLocation,
};

// A tenth of a second is usual; a reader whose time grew with the length's square took nine.
test.each(Object.keys(READERS))('%s is through every text in no time', (name) => {
  for (const piece of PIECES) {
    const text = long(piece);
    const startedAt = performance.now();
    READERS[name]?.(text);
    expect({ piece, slow: performance.now() - startedAt > 1500 }).toEqual({ piece, slow: false });
  }
});

const count = (nodes: Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + ('children' in node ? count(node.children) : 0), 0);

test.each(PIECES)('%j makes few elements of a text', (piece) => {
  const text = long(piece);
  // Each mark, the words before it and those inside.
  expect(count(parseMarkup(text))).toBeLessThanOrEqual(3 * MOST_MARKS);
  expect(partsOf(text, piece).length).toBeLessThanOrEqual(2 * MOST_HITS + 1);
});

test('no letter is lost behind the last mark and the last hit', () => {
  const words = long('*a* ');
  const rest = parseMarkup(words).at(-1);
  expect(rest).toEqual({ kind: 'text', text: words.slice(MOST_MARKS * 4 - 1) });
  const parts = partsOf(words, 'a');
  expect(parts.map((part) => part.text).join('')).toBe(words);
  expect(parts.filter((part) => part.isHit)).toHaveLength(MOST_HITS);
});

test('cards, their numbers and the rows of a menu are bounded', () => {
  const cards = parseCards(long('BEGIN:VCARD\nTEL:1\n'));
  expect(cards).toHaveLength(MOST_CARDS);
  const numbers = Array.from({ length: 9000 }, (_, index) => `TEL:${index}\n`).join('');
  expect(parseCards(`BEGIN:VCARD\n${numbers}`)[0]?.numbers).toHaveLength(MOST_NUMBERS);
  const phones = Array.from({ length: 9000 }, (_, index) => ({ phone: `${index}` }));
  const read = parseCloudCards([{ phones }, ...Array<object>(9000).fill({ phones })]);
  expect(read).toHaveLength(MOST_CARDS);
  expect(read.flatMap((card) => card.numbers)).toHaveLength(MOST_NUMBERS);
  const choices = Array<object>(9000).fill({ title: 'A' });
  expect(parseChoices({ choices }).choices).toHaveLength(MOST_CHOICES);
});
