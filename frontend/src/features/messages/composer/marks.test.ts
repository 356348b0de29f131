import { expect, test } from 'vitest';
import { markOf, toggleMark } from './marks';

const press = (key: string, changes = {}) =>
  markOf({ key, ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, ...changes });

test('the usual combinations have marks', () => {
  expect(press('b')).toBe('*');
  expect(press('I')).toBe('_');
  expect(press('X', { shiftKey: true })).toBe('~');
  expect(press('b', { ctrlKey: false, metaKey: true })).toBe('*');
  expect(press('b', { ctrlKey: false })).toBeNull();
  expect(press('b', { altKey: true })).toBeNull();
  expect(press('x')).toBeNull();
});

test('a mark goes around the words and away again', () => {
  const marked = toggleMark({ text: 'olá mundo!', start: 4, end: 9 }, '*');
  expect(marked).toEqual({ text: 'olá *mundo*!', start: 5, end: 10 });
  expect(toggleMark(marked, '*')).toEqual({ text: 'olá mundo!', start: 4, end: 9 });
});

test('blanks at the ends of a selection stay outside, where WhatsApp wants them', () => {
  expect(toggleMark({ text: 'um dois ', start: 2, end: 8 }, '_')).toEqual({
    text: 'um _dois_ ',
    start: 4,
    end: 8,
  });
});

test('without a selection one writes between the marks', () => {
  expect(toggleMark({ text: 'a ', start: 2, end: 2 }, '*')).toEqual({
    text: 'a **',
    start: 3,
    end: 3,
  });
});
