import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '@/theme';
import { Quote } from './Quote';
import { makeMessage } from './testData';
import type { Message } from './types';

function quoted(changes: Partial<Message>) {
  render(
    <ChakraProvider value={system}>
      <div data-testid="quote">
        <Quote quoted={makeMessage(1, changes)} />
      </div>
    </ChakraProvider>,
  );
  return screen.getByTestId('quote').textContent;
}

test('a quote names who wrote it once: above, not in the words', () => {
  const body = '*Ana Prado:*\nO pedido saiu hoje.';
  expect(quoted({ fromMe: true, userName: 'Ana Prado', body })).toBe(
    'Ana PradoO pedido saiu hoje.',
  );
});

test('what a contact wrote is quoted as it is', () => {
  expect(quoted({ body: '*Ana Prado:*\nfoi ela' })).toContain('Ana Prado:');
});
