import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { endListFocus, focusList, useListFocus } from './listFocus';
import { TicketPanel } from './TicketPanel';
import { parseView } from './view';

vi.mock('./TicketList', () => ({ TicketList: ({ empty }: { empty: ReactNode }) => empty }));

const nothing = () => undefined;

beforeEach(() => {
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([])));
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <input aria-label="Mensagem" />
          <TicketPanel
            view={parseView(new URLSearchParams('list=pending'))}
            onView={nothing}
            selected={undefined}
            onNewTicket={nothing}
            onAction={nothing}
            onTransfer={nothing}
            onSpy={nothing}
            onRest={nothing}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  endListFocus();
  closeSession();
  queryClient.clear();
});

const panel = () => screen.getByRole('region', { name: 'Lista de atendimentos' });

test('who goes to an empty list is at its panel, and waits for no row', async () => {
  await userEvent.click(screen.getByLabelText('Mensagem'));
  act(() => focusList());
  expect(document.activeElement).toBe(panel());
  expect(useListFocus.getState().wanted).toBeNull();
});

test('who is led to another list waits for its row', () => {
  act(() => focusList(0));
  expect(document.activeElement).toBe(panel());
  expect(useListFocus.getState().wanted).toEqual({ ticketId: 0 });
});

test('who is in the panel already stays there', async () => {
  const waiting = screen.getByRole('tab', { name: /^Aguardando/ });
  await userEvent.click(waiting);
  act(() => focusList());
  expect(document.activeElement).toBe(waiting);
});
