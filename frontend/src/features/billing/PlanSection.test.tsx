import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { PlanSection } from './PlanSection';

const LIMITS = { users: 3, connections: 0, queues: 2 };
const PENDING = {
  id: 9,
  kind: 'change',
  detail: 'Mudança para o plano Completo (15 dias)',
  value: 35.05,
  dueDate: '2026-12-13',
  status: 'open',
  paidAt: null,
  received: 0,
};
let pending: typeof PENDING | null;
let sent: unknown[];

const json = (body: unknown) => new Response(JSON.stringify(body));
const offer = (id: number, name: string, value: number, more: object = {}) => ({
  id,
  name,
  ...LIMITS,
  value,
  price: value,
  toPay: 0,
  credit: 0,
  exceeded: [],
  ...more,
});

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname } = new URL(input, 'http://balcao.test');
  if (!pathname.endsWith('/subscription/plan'))
    return Promise.resolve(json({ token: 't', user: makeUser() }));
  if (init?.method === 'POST') {
    const { plan } = JSON.parse(init.body ?? '') as { plan: number };
    sent.push(plan);
    pending = plan === 3 ? PENDING : null;
  }
  return Promise.resolve(
    json({
      planId: 2,
      name: 'Básico',
      value: 49.9,
      dueDate: '2026-12-13',
      recurrence: 'MENSAL',
      isTrial: false,
      credit: 12.5,
      owed: 10.1,
      use: [
        { resource: 'users', used: 2, allowed: 3 },
        { resource: 'connections', used: 1, allowed: 0 },
      ],
      pending,
      offers: [
        offer(1, 'Mini', 9.9, { exceeded: [{ resource: 'users', used: 2, allowed: 1 }] }),
        offer(2, 'Básico', 49.9),
        offer(3, 'Completo', 120, { toPay: 35.05 }),
      ],
    }),
  );
}

beforeEach(() => {
  pending = null;
  sent = [];
  queryClient.clear();
  openSession({ token: 'a.b.c', user: makeUser() });
  vi.stubGlobal('fetch', serve);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <PlanSection />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

test('the use, the credit, and why a plan is too small are shown', async () => {
  expect(await screen.findByText('2 de 3')).toBeTruthy();
  expect(screen.getByText('1, sem limite')).toBeTruthy();
  expect(screen.getByText(/12,50/)).toBeTruthy();
  expect(screen.getByText(/Você deve R\$\s10,10: um estorno/)).toBeTruthy();
  expect(screen.getByText('Usuários: o plano permite 1, a empresa tem 2.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Mudar para o plano Mini' })).toHaveProperty(
    'disabled',
    true,
  );
  expect(screen.queryByRole('button', { name: 'Mudar para o plano Básico' })).toBeNull();
});

test('a dearer plan is confirmed, waits for its invoice, and can be given up', async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Mudar para o plano Completo' }));
  expect(screen.getByText(/A diferença até 13\/12\/2026 é de R\$\s35,05/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Gerar fatura' }));
  expect(await screen.findByText(/o plano muda quando a fatura de R\$\s35,05/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Desistir' }));
  await vi.waitFor(() => expect(screen.queryByText(/o plano muda quando/)).toBeNull());
  expect(sent).toEqual([3, 2]);
});
