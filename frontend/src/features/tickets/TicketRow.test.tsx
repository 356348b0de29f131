import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { TicketRow } from './TicketRow';
import type { Ticket } from './types';

const TICKET = {
  id: 1,
  status: 'open',
  updatedAt: '2026-05-20T12:00:00Z',
  lastMessage: 'Oi',
  tags: [],
  queue: null,
  whatsapp: null,
} as unknown as Ticket;

test.each([
  ['Maria Aparecida de Souza', 'Maria Aparecida de Souza'],
  ['Maria Aparecida da Silva Souza', 'Maria Aparecida da S…'],
  ['Maria Aparecida dos Anjos Reis', 'Maria Aparecida dos …'],
])('the row of %s says %s', (name, shown) => {
  openSession({ token: 'token', user: makeUser() });
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <TicketRow
          ticket={{ ...TICKET, contact: { name } as Ticket['contact'] }}
          to="/tickets/1"
          selected={false}
          action={null}
          onAction={() => undefined}
        />
      </MemoryRouter>
    </ChakraProvider>,
  );
  expect(screen.getByTitle(name).textContent).toBe(shown);
});
