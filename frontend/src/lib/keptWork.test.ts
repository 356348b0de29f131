import { expect, test } from 'vitest';
import { clearStorage } from './keptWork';

test('a session taken elsewhere leaves to-do lists and unsent messages alone', () => {
  localStorage.setItem('token', 'x');
  localStorage.setItem('tasks:7', '[1]');
  localStorage.setItem('unsent:messages:7:a', '{}');
  clearStorage();
  expect(localStorage.getItem('token')).toBeNull();
  expect(localStorage.getItem('tasks:7')).toBe('[1]');
  expect(localStorage.getItem('unsent:messages:7:a')).toBe('{}');
});
