import { expect, test } from 'vitest';
import { shortLength } from './shorten';

const LINE = 'uma linha\n';

test.each([
  ['a short text', 'Olá'],
  ['nothing', ''],
  ['what is little longer', 'palavra '.repeat(312)],
  ['some lines more', LINE.repeat(49)],
])('%s is shown whole', (_, text) => {
  expect(shortLength(text)).toBe(text.length);
});

test.each([
  ['letters, up to a word', 'palavra '.repeat(1000), 1999],
  ['lines', LINE.repeat(1000), 40 * LINE.length - 1],
  ['lines without a letter', '\n'.repeat(65_536), 39],
  ['a word without an end', 'a'.repeat(65_536), 2000],
  ['pairs, none halved', `a${'😍'.repeat(2000)}`, 1999],
])('of a long text so many letters: %s', (_, text, length) => {
  expect(shortLength(text)).toBe(length);
});
