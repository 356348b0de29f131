import { expect, test } from 'vitest';
import { firstTexts } from './index';
import * as en from './en';
import * as es from './es';
import * as pt from './pt';

test.each([
  ['pt', pt],
  ['en', en],
  ['es', es],
])('all texts of the first file of %s are there before anything is drawn', (_, texts) => {
  expect(firstTexts).toEqual(Object.keys(texts));
});
