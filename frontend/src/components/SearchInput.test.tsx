import { ChakraProvider } from '@chakra-ui/react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { SearchInput } from './SearchInput';

const onSearch = vi.fn();

beforeEach(() => {
  onSearch.mockReset();
  vi.useFakeTimers();
  render(
    <ChakraProvider value={system}>
      <SearchInput label="Buscar" value="" onSearch={onSearch} />
    </ChakraProvider>,
  );
});

afterEach(() => {
  vi.useRealTimers();
});

const type = (text: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Buscar' }), { target: { value: text } });
const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

test('it searches half a second after the last letter, once', () => {
  type('ma');
  pass(499);
  type('mar');
  pass(499);
  expect(onSearch).not.toHaveBeenCalled();
  pass(1);
  expect(onSearch.mock.calls).toEqual([['mar']]);
});

test('Enter searches at once', () => {
  type('mar');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
  expect(onSearch.mock.calls).toEqual([['mar']]);
});
