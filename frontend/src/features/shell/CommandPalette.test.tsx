import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { CommandPalette } from './CommandPalette';

// The store reads the colour mode when it is imported.
vi.hoisted(() => {
  localStorage.setItem('preferredTheme', 'light');
});

const TICKET = {
  id: 50,
  uuid: 'c0ffee00-0000-4000-8000-000000000050',
  status: 'open',
  isGroup: false,
  updatedAt: '2026-03-02T12:00:00Z',
  contact: { id: 3, name: 'Mariana', number: '5511984321107', email: '', profilePicUrl: '' },
  match: { messageId: 9, body: '*Ana Prado:*\nO pedido saiu hoje.' },
} as unknown as Ticket;

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

const PEOPLE = [
  { id: 3, name: 'Mariana', number: '5511984321107' },
  { id: 4, name: 'Rita Alves', number: '5511984321108' },
  { id: 5, name: 'Sem número', number: '' },
].map((person) => ({ ...person, email: '', profilePicUrl: '', isGroup: false }));

/** Opens the palette; the server finds one conversation and three contacts. */
function show() {
  vi.stubGlobal('fetch', (address: string) =>
    Promise.resolve(
      Response.json(
        address.includes('/contacts/')
          ? { contacts: PEOPLE, count: 3, hasMore: false }
          : { tickets: [TICKET], count: 1, hasMore: false },
      ),
    ),
  );
  const nothing = () => undefined;
  const onContact = vi.fn();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <CommandPalette
            onClose={nothing}
            onNewTicket={nothing}
            onContact={onContact}
            onShortcuts={nothing}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return onContact;
}

test('whom no conversation found is with can be written to', async () => {
  const onContact = show();
  await userEvent.type(screen.getByRole('combobox'), 'mariana');
  await screen.findByRole('option', { name: /Atendendo/ });
  const people = await screen.findByRole('group', { name: 'Escrever para' });
  expect(people.querySelectorAll('[role=option]')).toHaveLength(1);
  await userEvent.click(screen.getByRole('option', { name: /Rita Alves/ }));
  expect(onContact).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 4 }));
});

test('the line that was found comes without the name that signs it', async () => {
  show();
  await userEvent.type(screen.getByRole('combobox'), 'pedido');
  const row = await screen.findByRole('option', { name: /Mariana/ });
  expect(row.textContent).toContain('O pedido saiu hoje.');
  expect(row.textContent).not.toContain('Ana Prado');
});
