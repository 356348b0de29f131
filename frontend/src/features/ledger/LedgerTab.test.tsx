import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { amountOf } from './amounts';
import { LedgerTab } from './LedgerTab';

const INVOICE = {
  id: 7,
  companyId: 2,
  companyName: 'Acme',
  kind: 'period',
  detail: 'Plano Básico (mensal)',
  value: 49.9,
  received: 0,
  refunded: 0,
  dueDate: '2020-01-31',
  status: 'open',
  paidAt: null,
};
const DETAIL = {
  invoice: INVOICE,
  due: 49.9,
  credit: 0,
  owed: 10.1,
  companyDueDate: '2020-01-31',
  charges: [],
  payments: [],
  credits: [],
  history: [],
};

test('a company’s invoice is opened, and a part of it is registered as paid', async () => {
  const sent: unknown[] = [];
  queryClient.clear();
  openSession({ token: 'a.b.c', user: makeUser() });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit & { body?: string }) => {
    const { pathname } = new URL(input, 'http://balcao.test');
    if (init?.method === 'POST') sent.push([pathname, JSON.parse(init.body ?? '')]);
    const body = pathname.endsWith('/billing')
      ? { invoices: [INVOICE], count: 1, hasMore: false }
      : DETAIL;
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <LedgerTab />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir a fatura 7 de Acme' }));
  expect((await screen.findByText('A empresa deve')).nextSibling?.textContent).toMatch(/10,10/);
  await userEvent.click(await screen.findByRole('button', { name: 'Registrar pagamento' }));
  const amount = screen.getByLabelText<HTMLInputElement>('Valor em reais');
  expect(amount.value).toBe('49,90');
  await userEvent.clear(amount);
  await userEvent.type(amount, '20,5');
  await userEvent.click(screen.getByRole('button', { name: 'Registrar pagamento' }));
  await vi.waitFor(() =>
    expect(sent).toEqual([['/api/billing/7/payments', { value: '20.50', reference: '' }]]),
  );
});

test.each([
  ['49,9', '49.90'],
  ['1.234,50', '1234.50'],
  ['R$ 10', '10.00'],
  ['12.30', '12.30'],
  ['0', null],
  ['-1', null],
  ['1,234', null],
  ['', null],
])('the amount %s is %s', (text, amount) => {
  expect(amountOf(text)).toBe(amount);
});
