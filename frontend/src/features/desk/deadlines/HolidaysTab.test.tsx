import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toaster } from '@/lib/toast';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { HolidaysTab } from './HolidaysTab';
import type { Holiday } from './types';

const YEAR = new Date().getFullYear();
const DAY: Holiday = {
  date: `${YEAR}-07-09`,
  name: 'Aniversário da loja',
  startTime: '',
  endTime: '',
  national: false,
};

let answer: () => Promise<Response>;
const sent: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  openSession({ token: 'token', user: makeUser() });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'PUT') {
      sent.push((JSON.parse(init.body as string) as { value: string }).value);
      return answer();
    }
    return Promise.resolve(
      Response.json(
        url.includes('/settings')
          ? [{ key: 'ownHolidays', value: `${DAY.date} ${DAY.name}` }]
          : [DAY],
      ),
    );
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <HolidaysTab />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

const refusal = () =>
  Response.json({ error: 'ERR_INVALID_INPUT', message: 'Não deu.' }, { status: 400 });

test('a day that can’t be removed is told by a toast, not at the form for another', async () => {
  let fail: () => void = () => undefined;
  answer = () => new Promise((resolve) => (fail = () => resolve(refusal())));
  const told = vi.spyOn(toaster, 'create');
  const user = userEvent.setup();
  const remove = await screen.findByRole('button', { name: /Aniversário da loja/ });
  await user.click(remove);
  await waitFor(() => expect(sent).toEqual(['']));
  // While it is being saved the button keeps the focus and does nothing.
  expect(document.activeElement).toBe(remove);
  await user.keyboard('{Enter}');
  fail();
  await waitFor(() => expect(told).toHaveBeenCalledOnce());
  await waitFor(() => expect(remove.getAttribute('aria-disabled')).toBe('false'));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(remove);
  expect(sent).toHaveLength(1);
});

test('a day that can’t be added is told at its form', async () => {
  answer = () => Promise.resolve(refusal());
  const user = userEvent.setup();
  await screen.findByRole('button', { name: /Aniversário da loja/ });
  await user.type(screen.getByLabelText('Dia'), `24/12/${YEAR}`);
  await user.type(screen.getByLabelText('Nome'), 'Véspera de Natal');
  await user.click(screen.getByRole('button', { name: 'Adicionar' }));
  await screen.findByRole('alert');
  expect(sent).toEqual([`${DAY.date} ${DAY.name}\n${YEAR}-12-24 Véspera de Natal`]);
});
