import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '@/theme';
import { DraftLine, FoundMessage, UnsentLine } from './LastMessage';

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

const UNSENT = { count: 1, text: SIGNED, isFailed: false, waits: true, isMoving: false };

test.each([
  [false, 'Aguardando conexão'],
  [true, 'Não enviada'],
])('an unsent message has its mark (refused: %s)', (isFailed, mark) => {
  render(
    <ChakraProvider value={system}>
      <UnsentLine unsent={{ ...UNSENT, isFailed }} />
    </ChakraProvider>,
  );
  expect(screen.getByRole('img', { name: mark })).toBeTruthy();
  expect(screen.getByText('O pedido saiu hoje.')).toBeTruthy();
});

test('a draft is named, with its beginning', () => {
  render(
    <ChakraProvider value={system}>
      <DraftLine text="Vou verificar" />
    </ChakraProvider>,
  );
  expect(screen.getByText('Rascunho:')).toBeTruthy();
  expect(screen.getByText('Vou verificar')).toBeTruthy();
});
