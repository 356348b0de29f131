import { expect, test } from 'vitest';
import { foldMacro, foldRule, without } from './fold';
import { MACRO, RULE } from './testData';

test('a rule takes its place by its position', () => {
  const first = { ...RULE, id: 1, position: 1 };
  const second = { ...RULE, id: 2, position: 2 };
  expect(foldRule([second], first)).toEqual([first, second]);
  const moved = { ...first, position: 3 };
  expect(foldRule([first, second], moved)).toEqual([second, moved]);
});

test('macros are in the order of their names', () => {
  const other = { ...MACRO, id: 6, name: 'Adiar' };
  expect(foldMacro([MACRO], other)).toEqual([other, MACRO]);
  expect(foldMacro([MACRO], { ...MACRO, name: 'Z' })).toEqual([{ ...MACRO, name: 'Z' }]);
});

test('what is deleted goes, and what is not known changes nothing', () => {
  expect(without([MACRO], MACRO.id)).toEqual([]);
  expect(without([MACRO], 99)).toEqual([MACRO]);
});
