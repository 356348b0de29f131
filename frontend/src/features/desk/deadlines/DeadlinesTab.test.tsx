import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { DeadlinesTab } from './DeadlinesTab';
import { POLICY } from './testData';
import type { SlaPolicy } from './types';

const QUEUES = [
  { id: 4, name: 'Vendas', color: '#123456' },
  { id: 5, name: 'Suporte', color: '#654321' },
];

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

/** Opens the tab with these times; returns what is sent. */
function open(stored: SlaPolicy[], answer: () => Response = () => Response.json(POLICY)) {
  const sent: { method: string; path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    if (init?.method && init.method !== 'GET') {
      sent.push({
        method: init.method,
        path,
        body: JSON.parse((init.body as string | undefined) ?? 'null'),
      });
      return Promise.resolve(answer());
    }
    const rows: Record<string, unknown> = { '/sla': stored, '/queue': QUEUES };
    return Promise.resolve(Response.json(rows[path] ?? []));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <DeadlinesTab />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { sent, user: userEvent.setup() };
}

test('times and steps are read as sentences', async () => {
  open([POLICY]);
  await screen.findByRole('heading', { name: 'Na fila Vendas' });
  expect(screen.getByText('A primeira resposta sai em até 15 minutos.')).toBeTruthy();
  expect(screen.getByText('O atendimento é resolvido em até 8 horas.')).toBeTruthy();
  expect(
    screen.getByText('Quando faltar um quarto do tempo da primeira resposta, avisar quem atende.'),
  ).toBeTruthy();
  expect(
    screen.getByText('30 minutos depois do prazo da primeira resposta, devolver para a fila.'),
  ).toBeTruthy();
  expect(screen.getByText(/O tempo conta dia e noite/)).toBeTruthy();
});

test('without times the tab offers the first ones, and saves them', async () => {
  const { sent, user } = open([]);
  await user.click(await screen.findByRole('button', { name: 'Criar prazos' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByRole('option', { name: 'Vendas' });
  await user.selectOptions(within(dialog).getByLabelText('da fila'), 'Vendas');
  await user.click(within(dialog).getByRole('button', { name: 'Adicionar passo' }));
  expect(within(dialog).getByText(/passam a valer na empresa/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: 'POST',
    path: '/sla',
    body: {
      queueId: 4,
      tagId: null,
      priority: null,
      firstAnswerMinutes: 15,
      nextAnswerMinutes: null,
      resolutionMinutes: null,
      steps: [{ kind: 'first_answer', when: 'quarter', action: 'tell', tells: 'holder' }],
    },
  });
});

test('what a form lacks is told, and nothing is sent', async () => {
  const { sent, user } = open([]);
  await user.click(await screen.findByRole('button', { name: 'Criar prazos' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  expect(within(dialog).getByRole('alert').textContent).toBe('Escolha a fila.');
  expect(sent).toEqual([]);
});

test('a queue that has times can’t get others', async () => {
  const { user } = open([POLICY]);
  await user.click(await screen.findByRole('button', { name: 'Criar prazos' }));
  const option = await screen.findByRole<HTMLOptionElement>('option', { name: 'Vendas' });
  expect(option.disabled).toBe(true);
  expect(screen.getByRole<HTMLOptionElement>('option', { name: 'Suporte' }).disabled).toBe(false);
});

test('a refusal is told in the dialog', async () => {
  const { user } = open([POLICY], () =>
    Response.json({ error: 'ERR_SLA_EXISTS', message: 'Já existem.' }, { status: 400 }),
  );
  await user.click(await screen.findByRole('button', { name: 'Editar: Na fila Vendas' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  expect((await within(dialog).findByRole('alert')).textContent).toMatch(/Já existem prazos/);
});
