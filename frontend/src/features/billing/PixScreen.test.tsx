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
import { PixScreen } from './PixScreen';
import type { PixCharge } from './types';

type Told = LiveEvent<'payment'>;
let tell: (event: Told) => void = () => undefined;
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (_name: string, handler: (event: Told) => void) => {
    tell = handler;
  },
}));

const user = makeUser();
const charge: PixCharge = {
  qrcode: { qrcode: '00020101PIX' },
  valor: { original: '49.90' },
  txid: 'a',
  invoiceId: 7,
  expiresAt: null,
  isConfirmedByHand: false,
  isPaid: false,
};

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user });
  vi.stubGlobal('fetch', (input: string) =>
    Promise.resolve(
      Response.json(
        input.includes('/invoices/')
          ? { id: 7, detail: '', value: 49.9, dueDate: '2030-01-31', status: 'open', received: 0 }
          : { token: 'def', user },
      ),
    ),
  );
});

afterEach(() => vi.useRealTimers());

test('four seconds after the payment the way leads home', async () => {
  const router = createMemoryRouter(
    [
      {
        path: '/financeiro',
        Component: () => <PixScreen charge={charge} onAgain={vi.fn()} isBusy={false} />,
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
  await screen.findByRole('img', { name: 'Código QR do Pix' });
  vi.useFakeTimers();
  const company = { ...user.company, dueDate: '2031-01-31' };
  act(() => tell({ action: 'CONCLUIDA', company }));
  expect(screen.getByText('Sua licença foi renovada até 31/01/2031!')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(3900));
  expect(router.state.location.pathname).toBe('/financeiro');
  await act(() => vi.advanceTimersByTimeAsync(200));
  vi.useRealTimers();
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
});
