import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { Toaster } from '@/components/Toaster';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { AutomaticTexts } from './AutomaticTexts';
import type { AutomaticText } from './types';

const figures = (messages: number, amount: string | null, unpriced = 0) => ({
  messages,
  billable: messages,
  free: 0,
  unpriced,
  amounts: amount === null ? [] : [{ currency: 'BRL', amount }],
});
const text = (
  origin: AutomaticText['origin'],
  state: AutomaticText['state'],
  more: Partial<AutomaticText> = {},
): AutomaticText => ({
  id: null,
  name: null,
  queue: null,
  origin,
  state,
  figures: figures(2, '0.1'),
  places: [],
  stoppedAt: null,
  ...more,
});
const GREETING = text('greeting', 'sent', {
  id: 7,
  name: 'Vendas',
  figures: figures(40, '2'),
  places: [{ kind: 'queue', id: 7, name: 'Vendas', text: 'Olá, é das vendas.', beginsMenu: true }],
});
const RATING = text('rating', 'sent', {
  places: [{ kind: 'setting', id: null, name: 'userRating', text: 'enabled', beginsMenu: false }],
});

let texts: AutomaticText[];
let sent: { path: string; body: unknown }[];
let refusal: Response | null;

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname } = new URL(input, 'http://balcao.test');
  if (init?.method !== 'POST')
    return Promise.resolve(json({ texts, dateFrom: '2026-11-01', dateTo: '2026-11-30' }));
  const body = JSON.parse(init.body ?? '') as { origin: string };
  sent.push({ path: pathname, body });
  if (refusal) return Promise.resolve(refusal);
  const known = texts.find(({ origin }) => origin === body.origin);
  const isStop = pathname.endsWith('/stop');
  const changed = { ...known, state: isStop ? 'stopped' : 'sent', places: [] };
  return Promise.resolve(json(changed));
}

const open = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <AutomaticTexts />
          <Toaster />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );

const list = () => screen.findByRole('list', { name: 'Textos automáticos', busy: false });
const rows = async () => within(await list()).findAllByRole('listitem');
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  texts = [GREETING, RATING, text('menu', 'fixed')];
  sent = [];
  refusal = null;
  queryClient.clear();
  vi.stubGlobal('fetch', vi.fn(serve));
  openSession({ token: 'abc', user: makeUser() });
});

test('the dearest text is named with what it costs, and each can be stopped or edited', async () => {
  open();
  const [greeting, rating, menu] = await rows();
  expect(greeting?.textContent).toContain('Saudação da fila: Vendas');
  expect(greeting?.textContent).toContain('40 entregues, 40 cobradas');
  expect(greeting?.textContent).toMatch(/R\$\s2,00/);
  screen.getByText(/“Saudação da fila: Vendas” custou R\$\s2,00 nos últimos 30 dias/);
  within(rating ?? document.body).getByRole('button', { name: /^Parar de enviar/ });
  const link = within(menu ?? document.body).getByRole('link', { name: 'Editar em Conexões' });
  expect(link.getAttribute('href')).toBe('/connections');
});

test('one click and a confirmation stop a greeting, and another sends it again', async () => {
  open();
  await rows();
  await press('Parar de enviar: Saudação da fila: Vendas');
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Quem entra nesta fila não recebe mais a saudação.');
  expect(dialog.textContent).toContain('“Escolha uma opção:”');
  expect(dialog.textContent).toContain('Olá, é das vendas.');
  expect(sent).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Parar de enviar' }));
  await screen.findByText('Parado');
  expect(sent).toEqual([
    { path: '/api/costs/automatic-texts/stop', body: { origin: 'greeting', id: 7 } },
  ]);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await press('Voltar a enviar: Saudação da fila: Vendas');
  await waitFor(() => expect(screen.queryByText('Parado')).toBeNull());
  expect(sent[1]).toEqual({
    path: '/api/costs/automatic-texts/resume',
    body: { origin: 'greeting', id: 7 },
  });
});

test('nothing is stopped when the admin thinks better of it', async () => {
  open();
  await rows();
  await press(/^Parar de enviar: Pedido/);
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('não chegam novas avaliações');
  expect(dialog.textContent).not.toContain('enabled');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(sent).toEqual([]);
});

test('a refusal is said, and the list is read again', async () => {
  refusal = json({ error: 'ERR_NO_AUTOMATIC_TEXT', code: 'ERR_NO_AUTOMATIC_TEXT' }, 404);
  open();
  await rows();
  texts = [text('greeting', 'unset', { id: 7, name: 'Vendas' })];
  await press(/Saudação da fila/);
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Parar de enviar' }));
  await screen.findByText('Este texto não é enviado, ou não foi parado por aqui.');
  await screen.findByText('Não está mais escrito');
});

test('what has no price is counted, and nothing is called dear', async () => {
  texts = [text('farewell', 'sent', { figures: figures(3, null, 3) })];
  open();
  const [row] = await rows();
  expect(row?.textContent).toContain('3 mensagens sem preço');
  expect(screen.queryByText(/custou/)).toBeNull();
});

test('a long list is shown in part; what can be changed stays in reach', async () => {
  texts = [
    ...Array.from({ length: 8 }, (_, id) => text('option', 'fixed', { id, name: `Opção ${id}` })),
    RATING,
    text('inactive', 'stopped', { figures: figures(0, null) }),
  ];
  open();
  expect(await rows()).toHaveLength(7);
  screen.getByRole('button', { name: /^Parar de enviar: Pedido/ });
  screen.getByRole('button', { name: /^Voltar a enviar: / });
  await press('Mostrar mais 3');
  expect(await rows()).toHaveLength(10);
  await press('Mostrar menos');
  expect(await rows()).toHaveLength(7);
});

test('without automatic texts there is no section', async () => {
  texts = [];
  const { container } = open();
  await waitFor(() => expect(container.querySelector('section')).toBeNull());
});
