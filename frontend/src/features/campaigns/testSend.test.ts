import { expect, test } from 'vitest';
import { faultOf, numbersIn } from './testSend';

test('numbers are read as people write them, each once', () => {
  expect(numbersIn('+55 11 98432-1107, 5511984321107;\n55 (21) 3333-4444\n')).toEqual([
    '5511984321107',
    '552133334444',
  ]);
});

test('none, too many and too short ones are told apart', () => {
  expect(faultOf(numbersIn(' , '))).toBe('none');
  expect(faultOf(['1', '2', '3', '4', '5', '6'])).toBe('many');
  expect(faultOf(['5511984321107', '1234567'])).toBe('short');
  expect(faultOf(['5511984321107'])).toBeNull();
});
