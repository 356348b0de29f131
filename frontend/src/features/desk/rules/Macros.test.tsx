import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { useCommands } from '@/stores/commands';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { Macros } from './Macros';
import { MACRO } from './testData';
import type { Macro } from './types';

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

interface MacroRun {
  macroId: number;
  clientId: string;
}

function Opened({ ticketId }: { ticketId: number | null }) {
  const [isOpen, setOpen] = useState(false);
  return <Macros ticketId={ticketId} isOpen={isOpen} onOpen={setOpen} />;
}

function open(macros: Macro[], ticketId: number | null = 3, lost = 0) {
  const sent: string[] = [];
  const clientIds: (string | undefined)[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    if (init?.method === 'POST') {
      const body = JSON.parse((init.body as string | undefined) ?? '{}') as Partial<MacroRun>;
      sent.push(`${path} ${String(body.macroId ?? '')}`);
      clientIds.push(body.clientId);
      if (sent.length <= lost) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve(Response.json({ id: 77, canUndo: true }, { status: 201 }));
    }
    return Promise.resolve(Response.json(macros));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Opened ticketId={ticketId} />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { sent, clientIds, user: userEvent.setup() };
}

const press = (letter: string) =>
  fireEvent.keyDown(document.body, { altKey: true, code: `Key${letter}`, key: letter });
const areOffered = () => waitFor(() => expect(useCommands.getState().commands).toHaveLength(1));

test('the first time a macro shows what it will do', async () => {
  const { sent, user } = open([MACRO]);
  await areOffered();
  press('B');
  await screen.findByRole('dialog', { name: 'Segunda via: o que vai ser feito' });
  expect(screen.getByText('mudar a prioridade para alta')).toBeTruthy();
  expect(screen.getByText('anotar “Pediu segunda via”')).toBeTruthy();
  expect(screen.getByText(/Dá para desfazer/)).toBeTruthy();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Rodar' }));
  await waitFor(() => expect(sent).toEqual(['/tickets/3/macros 5']));
});

test('afterwards its key runs it at once', async () => {
  const { sent } = open([{ ...MACRO, isKnown: true }]);
  await areOffered();
  press('B');
  await waitFor(() => expect(sent).toEqual(['/tickets/3/macros 5']));
});

test('a key that writes a letter of a text runs nothing', async () => {
  const { sent } = open([{ ...MACRO, shortcut: 'c', isKnown: true }]);
  await areOffered();
  const field = document.body.appendChild(document.createElement('textarea'));
  const write = (key: string) => fireEvent.keyDown(field, { altKey: true, code: 'KeyC', key });
  write('ç');
  write('Dead');
  write('c');
  await waitFor(() => expect(sent).toEqual(['/tickets/3/macros 5']));
  field.remove();
});

test('after a lost answer the same run is asked for again', async () => {
  const { sent, clientIds } = open([{ ...MACRO, isKnown: true }], 3, 1);
  await areOffered();
  await waitFor(() => {
    press('B');
    expect(sent.length).toBeGreaterThan(1);
  });
  expect(clientIds[0]).toBeTruthy();
  expect(clientIds[1]).toBe(clientIds[0]);
});

test('Alt and M open the list, which is searched', async () => {
  const { sent, user } = open([
    { ...MACRO, isKnown: true },
    { ...MACRO, id: 6, name: 'Adiar', shortcut: '', isKnown: true },
  ]);
  await waitFor(() => expect(useCommands.getState().commands).toHaveLength(2));
  press('M');
  await screen.findByRole('dialog', { name: 'Macros' });
  await user.type(screen.getByLabelText('Buscar macro'), 'adi{Enter}');
  await waitFor(() => expect(sent).toEqual(['/tickets/3/macros 6']));
});

test('without a ticket to act on no key does anything', async () => {
  const { sent } = open([{ ...MACRO, isKnown: true }], null);
  press('B');
  press('M');
  await Promise.resolve();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(useCommands.getState().commands).toEqual([]);
  expect(sent).toEqual([]);
});
