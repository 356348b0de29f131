import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { SubscriptionPage } from './SubscriptionPage';

afterEach(() => {
  vi.useRealTimers();
});

const show = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <SubscriptionPage />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );

test.each([
  ['2026-11-29', 'Seu período de teste termina em 3 dias!'],
  ['2026-11-27', 'Seu período de teste termina em 1 dia!'],
  ['2026-11-26', 'Seu período de teste termina hoje!'],
  ['2026-11-25', 'Seu período de teste terminou em 25/11/2026.'],
  [null, 'Sua empresa não está em período de teste.'],
])('a trial until %s: %s', (trialExpiresOn, words) => {
  vi.useFakeTimers({ now: new Date(2026, 10, 26, 15), toFake: ['Date'] });
  const { company } = makeUser();
  openSession({ token: 'abc', user: makeUser({ company: { ...company, trialExpiresOn } }) });
  show();
  const field = screen.getByLabelText<HTMLInputElement>('Período de teste');
  expect(field.value).toBe(words);
  expect(field.readOnly).toBe(true);
});

test('the address for invoices stands there, and the way to subscribe opens a dialog', async () => {
  vi.stubGlobal('fetch', () =>
    // Only what the page itself needs: the plan's part is tried by its own tests.
    Promise.resolve(Response.json({ code: 'ERR_NEW' }, { status: 500 })),
  );
  const { company } = makeUser();
  openSession({
    token: 'abc',
    user: makeUser({ company: { ...company, email: 'contas@acme.test' } }),
  });
  show();
  const email = screen.getByLabelText<HTMLInputElement>('E-mail de cobrança');
  expect([email.value, email.readOnly]).toEqual(['contas@acme.test', true]);
  await userEvent.click(screen.getByRole('button', { name: 'Assine Agora!' }));
  expect(await screen.findByRole('dialog')).toBeDefined();
});
