import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeUser } from '@/test/user';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { system } from '@/theme';
import { SignIns } from './SignIns';

const signIn = (id: number) => ({
  id,
  device: `Navegador ${id}`,
  place: '',
  ipAddress: '203.0.113.7',
  isAdmin: false,
  createdAt: '2026-11-30T12:00:00Z',
});
let fails: boolean;

beforeEach(() => {
  fails = true;
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', (url: string) => {
    const page = Number(new URL(url, 'http://x').searchParams.get('pageNumber'));
    if (page > 1 && fails)
      return Promise.resolve(
        Response.json({ error: 'ERR_UNAVAILABLE', message: 'Tente de novo.' }, { status: 400 }),
      );
    return Promise.resolve(
      Response.json({ records: [signIn(page)], count: 2, hasMore: page === 1 }),
    );
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <SignIns />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

test('a next page that fails leaves the list, says so, and can be tried again', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Mostrar mais' }));
  await screen.findByRole('alert');
  screen.getByText('Navegador 1');
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await screen.findByText('Navegador 2');
  screen.getByText('Navegador 1');
  expect(screen.queryByRole('alert')).toBeNull();
});
