import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '@/lib/api/types';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { OverdueShell } from './OverdueShell';

type Told = LiveEvent<'payment'>;
let tell: (event: Told) => void = () => undefined;
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (_name: string, handler: (event: Told) => void) => {
    tell = handler;
  },
}));

const user = makeUser();
const overdue = makeUser({ company: { ...user.company, dueDate: '2020-01-31' } });

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: overdue }, true);
  vi.stubGlobal('fetch', (input: string) =>
    Promise.resolve(
      Response.json(input.includes('/subscription') ? { support: null } : { token: 'def', user }),
    ),
  );
});

afterEach(() => vi.useRealTimers());

test('four seconds after the payment the way leads home', async () => {
  const router = createMemoryRouter(
    [
      {
        path: '/financeiro',
        Component: () => (
          <OverdueShell>
            <p>Faturas</p>
          </OverdueShell>
        ),
      },
      { path: '*', Component: () => <p>Em casa</p> },
    ],
    { initialEntries: ['/financeiro'] },
  );
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await screen.findByText(/Sua assinatura venceu 31\/01\/2020/);
  vi.useFakeTimers();
  act(() => tell({ action: 'CONCLUIDA', company: user.company }));
  expect(screen.getByText(/Sua licença foi renovada até 14\/12\/2030/)).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3900));
  expect(router.state.location.pathname).toBe('/financeiro');
  await act(() => vi.advanceTimersByTimeAsync(200));
  vi.useRealTimers();
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});
