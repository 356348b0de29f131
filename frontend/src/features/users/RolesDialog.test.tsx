import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import type { Permission } from '@/lib/permissions';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { RolesDialog } from './RolesDialog';

const FIXED = ['user', 'supervisor', 'admin'].map((key) => ({
  id: null,
  key,
  name: '',
  permissions: ['tickets:take'],
  users: 1,
}));
const CASHIER = {
  id: 4,
  key: '4',
  name: 'Caixa',
  permissions: ['contacts:see', 'contacts:edit'],
  users: 2,
};
const RICHER = { id: 5, key: '5', name: 'Dono', permissions: ['billing:manage'], users: 0 };

let sent: { path: string; method: string; body: unknown }[];
let refusal: Record<string, unknown> | undefined;

function show(granted: Permission[], roles: object[] = [...FIXED, CASHIER, RICHER]) {
  openSession({ token: 'abc', user: makeUser({ granted }) });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const path = new URL(input, 'http://balcao.test').pathname;
    const method = init?.method ?? 'GET';
    if (method === 'GET')
      return Promise.resolve(
        Response.json({ roles, requires: { 'contacts:edit': 'contacts:see' } }),
      );
    sent.push({ path, method, body: JSON.parse((init?.body as string | undefined) ?? 'null') });
    return Promise.resolve(
      refusal ? Response.json(refusal, { status: 409 }) : Response.json(CASHIER),
    );
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RolesDialog onClose={vi.fn()} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

beforeEach(() => {
  queryClient.clear();
  sent = [];
  refusal = undefined;
});

const MINE: Permission[] = ['contacts:see', 'contacts:edit', 'tickets:take', 'users:manage'];
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

test('a permission that goes takes along what needs it, and the whole set is saved', async () => {
  show(MINE);
  fireEvent.click(await screen.findByRole('button', { name: 'Editar Caixa' }));
  expect((await box('Criar e alterar contatos')).checked).toBe(true);
  expect(screen.getByText('A mudança vale na hora para 2 pessoas.')).toBeTruthy();
  fireEvent.click(await box('Ver os contatos'));
  await waitFor(async () => expect((await box('Criar e alterar contatos')).checked).toBe(false));
  fireEvent.click(await box('Aceitar atendimentos'));
  await waitFor(async () => expect((await box('Aceitar atendimentos')).checked).toBe(true));
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    path: '/api/roles/4',
    body: { name: 'Caixa', permissions: ['tickets:take'] },
  });
});

test('what the user lacks cannot be given, and says so', async () => {
  show(MINE);
  fireEvent.click(await screen.findByRole('button', { name: 'Editar Caixa' }));
  const billing = await box('Cuidar da assinatura');
  expect(billing.disabled).toBe(true);
  const group = within(await screen.findByRole('group', { name: 'Empresa' }));
  expect(group.getAllByText(/Você mesmo não tem esta permissão/).length).toBeGreaterThan(0);
});

test('a role that allows more than the own one is only shown', async () => {
  show(MINE);
  expect(await screen.findByRole('button', { name: 'Ver o que Dono pode' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Editar Dono' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Excluir Dono' })).toBeNull();
});

test('a company without own roles is offered its first one', async () => {
  show(MINE, FIXED);
  expect(await screen.findByText('Ainda não há papéis próprios.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Novo papel' }));
  fireEvent.change(await screen.findByLabelText(/^Nome do papel/), { target: { value: 'Caixa' } });
  fireEvent.click(screen.getByRole('button', { name: 'Criar papel' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ method: 'POST', body: { name: 'Caixa', permissions: [] } });
});

test('a refusal is said and the dialog stays', async () => {
  refusal = { code: 'ERR_LAST_MANAGER', error: 'ERR_LAST_MANAGER', message: 'x', fields: {} };
  show(MINE);
  fireEvent.click(await screen.findByRole('button', { name: 'Editar Caixa' }));
  fireEvent.click(await box('Aceitar atendimentos'));
  fireEvent.click(screen.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(await screen.findByRole('button', { name: 'Salvar' })).toBeTruthy();
});
