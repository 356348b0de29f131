import { expect, test } from 'vitest';
import { clearStorage } from './keptWork';

test('a session taken elsewhere leaves the to-do lists alone', () => {
  localStorage.setItem('token', 'x');
  localStorage.setItem('tasks:7', '[1]');
  clearStorage();
  expect(localStorage.getItem('token')).toBeNull();
  expect(localStorage.getItem('tasks:7')).toBe('[1]');
});
