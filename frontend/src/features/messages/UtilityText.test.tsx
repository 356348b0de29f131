import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { system } from '@/theme';
import { accepts, answerWith, sent, startComposing } from './composerHarness';
import { useComposition } from './composer/useComposition';
import { messageOfItem } from './outboxMessage';
import { useOutbox } from './outbox';
import { isUtilityText } from './parse';
import { useAlone } from './useAlone';
import { UtilityText } from './UtilityText';
import type { Writers } from './writers';

beforeEach(startComposing);

function Subject({ asks, writers }: { asks: boolean; writers: Writers }) {
  const composing = useComposition(50);
  const { whenAlone, question } = useAlone(writers, () => undefined);
  return (
    <>
      <UtilityText
        ticketId={50}
        composing={composing}
        asks={asks}
        whenAlone={whenAlone}
        onSent={() => undefined}
      />
      {question}
    </>
  );
}

function show(asks = true, writers: Writers = []) {
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <ChakraProvider value={system}>
          <Subject asks={asks} writers={writers} />
        </ChakraProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  );
  return {
    user: userEvent.setup({ delay: null }),
    input: screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Mensagem de utilidade' }),
    button: screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar mensagem de utilidade' }),
  };
}

const refuses = (code: string) => () =>
  new Response(JSON.stringify({ error: code, code, message: 'Não.' }), { status: 409 });

test('a text goes with its category, signed, and is marked until it is stored', async () => {
  const marks: unknown[] = [];
  answerWith((body) => {
    const items = useOutbox.getState().items.map(messageOfItem);
    marks.push(...items.map(({ dataJson }) => isUtilityText(dataJson)));
    return accepts(body);
  });
  const { user, input } = show();
  await user.type(input, 'Seu pedido saiu.{Enter}');
  await waitFor(() =>
    expect(sent).toMatchObject([
      { body: '*Camila Duarte:*\nSeu pedido saiu.', category: 'utility', quotedMsg: null },
    ]),
  );
  expect(marks).toEqual([true]);
  expect(input.value).toBe('');
});

test('when the contact has written meanwhile, it goes as an ordinary text with the same id', async () => {
  answerWith((body) => ('category' in body ? refuses('ERR_WINDOW_OPEN')() : accepts(body)));
  const { user, input } = show();
  await user.type(input, 'Seu pedido saiu.{Enter}');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).not.toHaveProperty('category');
  expect(sent[1]?.clientId).toBe(sent[0]?.clientId);
  await waitFor(() => expect(useOutbox.getState().items).toEqual([]));
});

test('a refusal keeps the text, unsent', async () => {
  answerWith(refuses('ERR_UTILITY_TEXTS_REFUSED'));
  const { user, input } = show();
  await user.type(input, 'Seu pedido saiu.{Enter}');
  await waitFor(() => expect(useOutbox.getState().items[0]?.state).toBe('failed'));
  expect(sent).toHaveLength(1);
});

test('beside somebody who writes it asks first, and keeps the text', async () => {
  const writer = { id: 9, name: 'Bia' };
  const { user, input } = show(true, [{ writer, text: 'Já vou', at: '2026-03-02T12:00:00Z' }]);
  await user.type(input, 'Seu pedido saiu.{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Enviar mesmo assim' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(input.value).toBe('');
});

test('blanks and more than 1,024 characters are not sent', async () => {
  const { user, input, button } = show();
  await user.type(input, '   {Enter}');
  expect(button.disabled).toBe(true);
  await user.click(input);
  await user.paste('x'.repeat(1024));
  // The signature counts.
  expect(screen.getByRole('alert').textContent).toMatch(/\d/);
  await user.keyboard('{Enter}');
  expect(sent).toEqual([]);
});

test('that the account is asked is said only while it is not known', () => {
  show(false);
  expect(screen.queryByText(/mostra se a conta pode/)).toBeNull();
  expect(screen.getByText(/Sem propaganda/)).toBeTruthy();
});
