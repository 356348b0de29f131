import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { DeadlineMark } from './DeadlineMark';

const NOW = Date.parse('2026-03-04T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (dueAt: string | null, warnsAt: string | null) =>
  render(
    <ChakraProvider value={system}>
      <DeadlineMark dueAt={dueAt} warnsAt={warnsAt} />
    </ChakraProvider>,
  );

test('before the last quarter, and without a deadline, nothing is shown', () => {
  show(at(60), at(45));
  show(null, null);
  expect(document.querySelector('time')).toBeNull();
});

test.each([
  [12, 'faltam 12 min'],
  [130, 'faltam 2 h'],
  [-5, 'venceu há 5 min'],
])('a deadline in %i minutes says so in its last quarter', (minutes, words) => {
  show(at(minutes), at(-1));
  expect(screen.getByText(words)).toBeTruthy();
});
