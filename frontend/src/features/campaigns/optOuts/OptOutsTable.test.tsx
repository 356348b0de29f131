import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi, type Mock } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { giveRoom } from '@/test/room';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import type { OptOut } from './api';
import { OptOutsTable } from './OptOutsTable';

const ana: OptOut = {
  id: 1,
  number: '5511984321107',
  name: 'Ana Prado',
  contactId: 7,
  by: 'word',
  campaignId: 3,
  campaignName: 'Natal',
  createdAt: '2026-11-24T12:00:00Z',
};
const nameless: OptOut = {
  ...ana,
  id: 2,
  number: 'lid:99',
  name: '',
  contactId: null,
  by: 'meta',
  campaignId: null,
  campaignName: '',
};

let rows: OptOut[];
let calls: string[];
let saved: Mock<() => string>;
let answer: ((method: string) => Response | undefined) | null;

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname, searchParams } = new URL(input, 'http://balcao.test');
  const method = init?.method ?? 'GET';
  calls.push(`${method} ${pathname}?${searchParams.get('searchParam') ?? ''}`);
  const other = answer?.(method);
  if (other) return Promise.resolve(other);
  if (pathname.endsWith('/contacts/number'))
    return Promise.resolve(
      Response.json({ number: '5511980000200', shown: '+55 11 98000-0200', isCompleted: true }),
    );
  if (pathname.endsWith('/export')) return Promise.resolve(new Response('nome;numero\r\n'));
  if (method === 'DELETE') {
    rows = rows.filter(({ id }) => !pathname.endsWith(`/${id}`));
    return Promise.resolve(Response.json({ message: 'Descadastro excluído.' }));
  }
  if (method === 'POST') {
    const { number } = JSON.parse(init?.body ?? '') as { number: string };
    const added = { ...nameless, id: 3, number, by: 'hand' as const };
    rows = [added, ...rows];
    return Promise.resolve(Response.json(added, { status: 201 }));
  }
  const text = searchParams.get('searchParam') ?? '';
  const records = rows.filter(({ name }) => name.includes(text));
  return Promise.resolve(Response.json({ records, count: records.length, hasMore: false }));
}

beforeEach(() => {
  rows = [ana, nameless];
  calls = [];
  answer = null;
  giveRoom();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', vi.fn(serve));
  saved = vi.fn(() => 'blob:file');
  URL.createObjectURL = saved;
  URL.revokeObjectURL = vi.fn();
});

function show() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <OptOutsTable />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return userEvent.setup();
}

const rowOf = async (name: string) =>
  within(await screen.findByRole('row', { name: new RegExp(name) }));

test('each row tells who, the number, how and the campaign', async () => {
  show();
  const row = await rowOf('Ana Prado');
  for (const text of ['+55 11 98432-1107', 'Respondeu', 'Natal']) row.getByText(text);
  const other = await rowOf('Pela Meta');
  expect(other.getAllByText('Sem número')).toHaveLength(2);
  screen.getByText('2 pessoas não recebem campanhas');
});

test('a deletion is confirmed and tells what follows from it', async () => {
  const user = show();
  await user.click((await rowOf('Ana Prado')).getByRole('button', { name: /Ana Prado/ }));
  const dialog = within(await screen.findByRole('alertdialog'));
  dialog.getByText(/voltam a escrever para esta pessoa/);
  expect(calls.some((call) => call.startsWith('DELETE'))).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Excluir' }));
  await waitFor(() => expect(screen.queryByText('Ana Prado')).toBeNull());
  expect(calls).toContain('DELETE /api/opt-outs/1?');
});

test('a number is added, and a refusal stands at the field', async () => {
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Adicionar número' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByLabelText(/Número/);
  await user.type(field, '5511984321107');
  answer = (method) =>
    method === 'POST'
      ? Response.json(
          {
            error: 'ERR_OPT_OUT_EXISTS',
            message: 'x',
            fields: { number: ['Este número já está descadastrado.'] },
          },
          { status: 409 },
        )
      : undefined;
  await user.click(dialog.getByRole('button', { name: 'Adicionar' }));
  await dialog.findByText('Este número já está descadastrado.');
  answer = null;
  await user.clear(field);
  await user.type(field, '11 98000-0200');
  await dialog.findByText(/\+55 11 98000-0200/);
  await user.clear(field);
  await user.type(field, '5521999998888');
  await user.click(dialog.getByRole('button', { name: 'Adicionar' }));
  (await rowOf('À mão')).getAllByText('+55 21 99999-8888');
});

test('the file has what the search finds', async () => {
  const user = show();
  await rowOf('Ana Prado');
  await user.type(screen.getByRole('searchbox'), 'Ana');
  await waitFor(() => expect(screen.queryByText('Pela Meta')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Exportar' }));
  await waitFor(() => expect(calls).toContain('GET /api/opt-outs/export?Ana'));
  expect(saved).toHaveBeenCalledOnce();
});

test('without anybody the page tells how people get there', async () => {
  rows = [];
  show();
  await screen.findByText('Ninguém saiu das campanhas');
  expect(screen.queryByRole('button', { name: 'Exportar' })).toBeNull();
});

test('a list that fails is asked for again', async () => {
  answer = () => Response.json({ error: 'ERR_NO_PERMISSION' }, { status: 403 });
  const user = show();
  const again = await screen.findByRole('button', { name: 'Tentar de novo' });
  answer = null;
  await user.click(again);
  await rowOf('Ana Prado');
});

test('a company whose plan has no campaigns adds nobody', async () => {
  const { company } = makeUser();
  const plan = { ...company.plan, useCampaigns: false };
  openSession({ token: 'abc', user: makeUser({ company: { ...company, plan } }) });
  show();
  await rowOf('Ana Prado');
  expect(screen.queryByRole('button', { name: 'Adicionar número' })).toBeNull();
});
