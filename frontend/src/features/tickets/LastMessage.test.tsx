import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '@/theme';
import { FoundMessage } from './LastMessage';

function found(body: string, term: string) {
  render(
    <ChakraProvider value={system}>
      <div data-testid="line">
        <FoundMessage body={body} term={term} />
      </div>
    </ChakraProvider>,
  );
  return screen.getByTestId('line').textContent;
}

const SIGNED = '*Ana Prado:*\nO pedido saiu hoje.';

test('a line that was found comes without the name that signs it', () => {
  expect(found(SIGNED, 'pedido')).toBe('O pedido saiu hoje.');
});

test('who looks for the name that signs a line finds it', () => {
  expect(found(SIGNED, 'prado')).toContain('Ana Prado:');
});
