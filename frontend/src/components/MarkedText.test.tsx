import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { shortLength } from '@/lib/shorten';
import { system } from '@/theme';
import { MarkedText } from './MarkedText';

afterEach(cleanup);

function show(text: string, isWhole = false) {
  cleanup();
  render(
    <ChakraProvider value={system}>
      <div role="group" tabIndex={-1}>
        <MarkedText text={text} isWhole={isWhole} />
      </div>
    </ChakraProvider>,
  );
  return screen.getByRole('group');
}

const more = () => screen.queryByRole('button', { name: 'Ler mais' });

test('a long text shows its beginning, and the rest once it is asked for', async () => {
  const text = '*Pedido* de 300 canecas. '.repeat(400);
  const words = text.replaceAll('*', '');
  const message = show(text);
  const beginning = text.slice(0, shortLength(text)).replaceAll('*', '');
  expect(message.textContent).toBe(`${beginning}… Ler mais`);
  await userEvent.click(more() ?? message);
  expect(message.textContent).toBe(words);
  // The button is gone; the focus is on the message.
  expect(document.activeElement).toBe(message);
  // A virtual list unmounts rows out of sight and mounts them again.
  expect(show(text).textContent).toBe(words);
});

test('what is looked for in its rest is seen without asking', () => {
  const text = 'Pedido de 500 canecas. '.repeat(400);
  expect(show(text, true).textContent).toBe(text);
  expect(more()).toBeNull();
});

test('a short text has nothing to ask for', () => {
  expect(show('*Olá*, bom dia').textContent).toBe('Olá, bom dia');
  expect(more()).toBeNull();
});
