import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { InvoicesTable } from './InvoicesTable';

const PLAN = { users: 3, connections: 0, queues: 2, value: 49.9, price: 49.9 };
let status: 'open' | 'paid' | 'cancelled';
let dueDate: string;
let sent: unknown[];

const json = (body: unknown) => new Response(JSON.stringify(body));
const invoice = () => ({
  id: 7,
  detail: 'Plano Básico (mensal)',
  value: 49.9,
  dueDate,
  status,
  paidAt: null,
  received: 0,
});

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname } = new URL(input, 'http://balcao.test');
  if (pathname.endsWith('/invoices/all'))
    return Promise.resolve(json({ invoices: [invoice()], count: 1, hasMore: false }));
  if (pathname.endsWith('/invoices/7')) return Promise.resolve(json(invoice()));
  if (init?.method === 'POST' && pathname.endsWith('/subscription')) {
    sent.push(JSON.parse(init.body ?? ''));
    return Promise.resolve(
      json({
        qrcode: { qrcode: '00020101PIX' },
        valor: { original: '120.00' },
        txid: 'a',
        invoiceId: 7,
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        isConfirmedByHand: false,
      }),
    );
  }
  if (pathname.endsWith('/subscription'))
    return Promise.resolve(
      json({
        planId: 1,
        months: 1,
        isAvailable: true,
        plans: [
          { id: 1, name: 'Básico', ...PLAN },
          { id: 2, name: 'Completo', ...PLAN, value: 120, price: 120 },
        ],
        ...{ firstName: '', address2: '', city: '', state: '', zipcode: '' },
      }),
    );
  return Promise.resolve(json({ token: 't', user: makeUser() }));
}

beforeEach(() => {
  status = 'open';
  dueDate = '2020-01-31';
  sent = [];
  queryClient.clear();
  openSession({ token: 'a.b.c', user: makeUser() });
  vi.stubGlobal('fetch', serve);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <InvoicesTable />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

test('the columns are those of the page of invoices', async () => {
  await screen.findByRole('row', { name: /Plano Básico/ });
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Id',
    'Detalhes',
    'Valor',
    'Data Venc.',
    'Status',
    'Ação',
  ]);
});

test.each([
  ['open', '2020-01-31', 'Vencido', 'PAGAR', true],
  ['open', '2999-01-31', 'Em Aberto', 'PAGAR', false],
  ['paid', '2020-01-31', 'Pago', 'PAGO', false],
] as const)('an invoice that is %s and due on %s is %s', async (now, day, words, action, isRed) => {
  await screen.findByRole('row', { name: /Plano Básico/ });
  status = now;
  dueDate = day;
  await queryClient.invalidateQueries();
  const row = await screen.findByText(words);
  const line = row.closest('tr');
  expect(line?.lastElementChild?.textContent).toBe(action);
  const isTinted = getComputedStyle(line as Element).background.includes('danger');
  expect(isTinted).toBe(isRed);
});

test('an overdue invoice is paid in three steps, at the plan that was chosen', async () => {
  const user = userEvent.setup();
  const row = await screen.findByRole('row', { name: /Plano Básico/ });
  expect(row.textContent).toMatch(/Vencido/);
  await user.click(within(row).getByRole('button', { name: /^PAGAR/ }));

  const own = await screen.findByRole('radio', { name: /Básico \(seu plano\)/ });
  const dialog = screen.getByRole('dialog', { name: 'Falta pouco!' });
  expect((own as HTMLInputElement).checked).toBe(true);
  const steps = within(dialog).getAllByRole('listitem');
  expect(steps.slice(0, 3).map(({ lastChild }) => lastChild?.textContent)).toEqual([
    'Dados',
    'Personalizar',
    'Revisar',
  ]);
  expect(steps[1]?.getAttribute('aria-current')).toBe('step');
  await user.click(within(dialog).getByRole('button', { name: 'Voltar' }));
  await user.click(within(dialog).getByRole('button', { name: 'PRÓXIMO' }));
  expect(await within(dialog).findByText('CEP é obrigatório')).toBeTruthy();
  for (const words of [
    'O nome completo é obrigatório',
    'O Endereço é obrigatório',
    'Cidade é obrigatória',
  ])
    expect(within(dialog).getByText(words)).toBeTruthy();
  const country = within(dialog).getByLabelText<HTMLSelectElement>(/^País/);
  const offered = [...country.options].filter(({ value }) => value);
  expect(offered.map(({ value, text }) => [value, text])).toEqual([
    ['BR', 'Brasil'],
    ['usa', 'United States'],
  ]);
  for (const label of ['Nome completo', 'Endereço', 'Cidade', 'CEP'])
    await user.type(within(dialog).getByLabelText(label), 'x');
  await user.click(within(dialog).getByRole('button', { name: 'PRÓXIMO' }));
  await user.click(await within(dialog).findByRole('radio', { name: /Completo/ }));
  await user.click(within(dialog).getByRole('button', { name: 'PRÓXIMO' }));
  expect(dialog.textContent).toMatch(/120,00/);
  status = 'paid';
  await user.click(within(dialog).getByRole('button', { name: 'PAGAR' }));
  expect(
    await screen.findByText(/Sua licença foi renovada até|Pagamento confirmado!/),
  ).toBeTruthy();
  expect(sent).toEqual([
    {
      invoiceId: 7,
      plan: { id: 2 },
      ...{ firstName: 'x', address2: 'x', city: 'x', state: '', zipcode: 'x' },
    },
  ]);
});

test('the code stands there to be scanned and copied until it is paid', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^PAGAR/ }));
  await screen.findByRole('radio', { name: /Básico/ });
  const dialog = screen.getByRole('dialog', { name: 'Falta pouco!' });
  await user.click(await within(dialog).findByRole('button', { name: 'PRÓXIMO' }));
  await user.click(within(dialog).getByRole('button', { name: 'PAGAR' }));
  const pix = await screen.findByRole('dialog', { name: 'Pagar com Pix' });
  expect(within(pix).getByRole('img', { name: 'Código QR do Pix' })).toBeTruthy();
  expect(pix.textContent).toMatch(/00020101PIX/);
  expect(pix.textContent).toMatch(/O código vale por mais (1:00:00|59:5\d)/);
  expect(within(pix).getByRole('button', { name: 'Copiar o código Pix' })).toBeTruthy();
});

test('a cancelled invoice is not overdue and has nothing to press', async () => {
  await screen.findByRole('row', { name: /Vencido/ });
  status = 'cancelled';
  await queryClient.invalidateQueries();
  const row = await screen.findByRole('row', { name: /Cancelado/ });
  expect(row.textContent).toMatch(/Cancelado.*CANCELADO/);
  expect(row.textContent).not.toMatch(/Vencido/);
  expect(within(row).queryByRole('button')).toBeNull();
});

test('a code whose invoice is cancelled meanwhile is shown no longer', async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^PAGAR/ }));
  await screen.findByRole('radio', { name: /Básico/ });
  const dialog = screen.getByRole('dialog', { name: 'Falta pouco!' });
  await user.click(await within(dialog).findByRole('button', { name: 'PRÓXIMO' }));
  status = 'cancelled';
  await user.click(within(dialog).getByRole('button', { name: 'PAGAR' }));
  expect(await screen.findByText('Esta fatura foi cancelada')).toBeTruthy();
  expect(screen.queryByRole('img', { name: 'Código QR do Pix' })).toBeNull();
});
