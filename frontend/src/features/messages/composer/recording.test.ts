import { expect, test } from 'vitest';
import { isTooShort, RecordingRefused, refusalOfError } from './recording';

test('a recording below 10,000 bytes is none', () => {
  expect(isTooShort(9_999)).toBe(true);
  expect(isTooShort(10_000)).toBe(false);
});

test('every way in which a browser refuses has a word', () => {
  const named = (name: string) => refusalOfError(new DOMException('', name));
  expect(named('NotAllowedError')).toBe('denied');
  expect(named('NotFoundError')).toBe('missing');
  expect(named('NotReadableError')).toBe('busy');
  expect(named('Whatever')).toBe('failed');
  expect(refusalOfError(new RecordingRefused('insecure'))).toBe('insecure');
  expect(refusalOfError('text')).toBe('failed');
});
