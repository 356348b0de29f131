/**
 * Hostile texts of customers are processed in linear time and create a bounded number of elements.
 */
import { expect, test } from 'vitest';
import { MOST_HITS, partsOf } from '@/features/messages/highlight';
import {
  MOST_CARDS,
  MOST_CHOICES,
  MOST_NUMBERS,
  parseCards,
  parseMenu,
  parseCloudCards,
} from '@/features/messages/parse';
import { MOST_MARKS, parseMarkup, type Node } from '@/lib/markup';
import { LONGEST, long, READERS } from './readersOfTexts';

const PIECES = [
  ...['a ', ' ', '\n', '\r\n ', '*a* ', '~*_a_*~ ', '`a` ', '**a', 'a@b.c ', 'www.a ', '(www.'],
  ...[
    '{{a}}',
    '{{ ',
    '|',
    '😍 ',
    '👨‍',
    'e\u0301',
    '\u0301\u0316',
    '\ufdfa',
    '+1 (',
    'TEL:1\n',
    '\\n',
  ],
  ...['BEGIN:VCARD\nTEL:1\n', '\uE000', '\uE000a\uE001', '{{1}} ', '1', '/'],
];

const TIMES = 32;
/**
 * Between 32 and its square in ratio: garbage collection may take more than its share of the time.
 */
const STEEP = 180;
/**
 * Quadratic work on the longest text takes billions of steps: less time in ms than this rules it
 * out.
 */
const AT_ONCE = 500;

/** CPU time in ms: on a busy machine other processes lengthen the time that passes. */
function msOf(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether 32 times the text takes quadratic time. Uses the shortest of some runs: compilation and
 * garbage collection lengthen single ones.
 */
function isSteep(read: (text: string) => unknown, piece: string): boolean {
  let [short, whole] = [Infinity, Infinity];
  for (let tries = 0; tries < 3; tries += 1) {
    // The short text runs first, before compilation, and an interruption would dominate its time.
    for (let again = 0; again < 5; again += 1)
      short = Math.min(short, msOf(read, long(piece, LONGEST / TIMES)));
    whole = Math.min(whole, msOf(read, long(piece)));
    if (whole <= Math.max(AT_ONCE, short * STEEP)) return false;
  }
  return true;
}

test.each(Object.keys(READERS))('%s takes as long as a text is', (name) => {
  const read = READERS[name] ?? parseMarkup;
  expect(PIECES.filter((piece) => isSteep(read, piece))).toEqual([]);
});

test('what takes the square of the time is found', () => {
  const square = ({ length }: string) => {
    let sum = 0;
    for (let step = 0; step < length ** 2 * 0.45; step += 1) sum ^= step;
    return sum;
  };
  expect(isSteep(square, 'a')).toBe(true);
});

const count = (nodes: Node[]): number =>
  nodes.reduce((sum, node) => sum + 1 + ('children' in node ? count(node.children) : 0), 0);

test.each(PIECES)('%j makes few elements of a text', (piece) => {
  const text = long(piece);
  // Each mark, the text before it and the text inside.
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
  expect(parseMenu({ choices }).choices).toHaveLength(MOST_CHOICES);
});
