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

// The colour mode is read while its store is imported.
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

test('the line that was found comes without the name that signs it', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ tickets: [TICKET], count: 1, hasMore: false })),
  );
  const nothing = () => undefined;
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <CommandPalette onClose={nothing} onNewTicket={nothing} onShortcuts={nothing} />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.type(screen.getByRole('combobox'), 'pedido');
  const row = await screen.findByRole('option', { name: /Mariana/ });
  expect(row.textContent).toContain('O pedido saiu hoje.');
  expect(row.textContent).not.toContain('Ana Prado');
});
