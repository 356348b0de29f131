import { expect, test } from 'vitest';
import { foldViewers, NOBODY } from './viewers';

const ANA = { id: 1, name: 'Ana' };
const BRUNO = { id: 2, name: 'Bruno' };

test('the newest event says who is there', () => {
  const both = foldViewers(NOBODY, { at: 5, viewers: [ANA, BRUNO] });
  expect(both.viewers).toEqual([ANA, BRUNO]);
  expect(foldViewers(both, { at: 6, viewers: [ANA] }).viewers).toEqual([ANA]);
});

test('an event that was overtaken changes nothing', () => {
  const alone = foldViewers(NOBODY, { at: 6, viewers: [ANA] });
  expect(foldViewers(alone, { at: 5, viewers: [ANA, BRUNO] })).toBe(alone);
});
