import { expect, test } from 'vitest';
import { storedFolds } from './foldedGroups';

test('folds are those of the user, and nothing that is stored badly breaks the menu', () => {
  localStorage.setItem('foldedGroups:1', '["administration"]');
  expect(storedFolds(1)).toEqual(['administration']);
  expect(storedFolds(2)).toEqual([]);
  for (const bad of ['{', 'null', '7', '[1, {}]']) {
    localStorage.setItem('foldedGroups:1', bad);
    expect(storedFolds(1)).toEqual([]);
  }
});
