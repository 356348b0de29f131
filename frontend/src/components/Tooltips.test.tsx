import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { system } from '@/theme';
import { IconButton } from './IconButton';
import { Tooltips } from './Tooltips';

// jsdom has no layout.
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

function show() {
  render(
    <ChakraProvider value={system}>
      <input aria-label="Nome" />
      <IconButton label="Buscar" icon={null} />
      <IconButton label="Fechar" icon={null} />
      <Tooltips />
    </ChakraProvider>,
  );
  return userEvent.setup();
}

const named = (label: string) => screen.getByRole('button', { name: label });
const gone = () => waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());

test('the one on which the mouse rests tells its name, and the next one at once', async () => {
  const user = show();
  await user.hover(named('Buscar'));
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Buscar');
  await user.hover(named('Fechar'));
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toBe('Fechar'));
  await user.hover(screen.getByRole('textbox'));
  await gone();
});

test('a pressed one is silent until the pointer has left it', async () => {
  const user = show();
  await user.hover(named('Buscar'));
  await screen.findByRole('tooltip');
  await user.click(named('Buscar'));
  await gone();
  await user.hover(screen.getByRole('textbox'));
  await user.hover(named('Buscar'));
  await screen.findByRole('tooltip');
});

test('the keyboard leads to it by Tab; Escape, a press and another focus end it', async () => {
  const user = show();
  await user.tab();
  await user.tab();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Buscar');
  await user.keyboard('{Escape}');
  await gone();
  await user.tab();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Fechar');
  await user.keyboard('{Enter}');
  await gone();
  await user.tab({ shift: true });
  await screen.findByRole('tooltip');
  screen.getByRole('textbox').focus();
  await gone();
});

test('a focus that a script moves ends no tooltip that the mouse waits for', async () => {
  const user = show();
  await user.hover(named('Buscar'));
  screen.getByRole('textbox').focus();
  expect((await screen.findByRole('tooltip')).textContent).toBe('Buscar');
});
