import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Permission } from '@/lib/permissions';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { chooseEntry } from '@/test/menu';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { RulesTab } from './RulesTab';
import { Runs } from './Runs';
import { RULE } from './testData';
import type { Rule, RuleRun } from './types';

const SENTENCE =
  'Quando o cliente espera resposta há 10 minutos no horário de atendimento, se a fila é Vendas e' +
  ' a prioridade não é baixa e (o texto contém “boleto” ou “fatura” ou a hora está entre 18:00 e' +
  ' 08:00), então avisar os supervisores sem recado, colocar a tag VIP e adiar por 1 hora.';
const TAGS = [
  { id: 9, name: 'VIP', color: '#123456' },
  { id: 10, name: 'Novo', color: '#654321' },
];

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

/** Opens the tab with these rules; returns what is sent. */
function open(stored: Rule[], answer: () => Response = () => Response.json(RULE)) {
  const sent: { method: string; path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    if (init?.method && init.method !== 'GET') {
      sent.push({
        method: init.method,
        path,
        body: JSON.parse((init.body as string | undefined) ?? 'null'),
      });
      return Promise.resolve(path.endsWith('/order') ? Response.json(stored) : answer());
    }
    const rows: Record<string, unknown> = {
      '/rules': stored,
      '/tags/list': TAGS,
      '/rules/runs': { runs: [], hasMore: false },
    };
    return Promise.resolve(Response.json(rows[path] ?? []));
  });
  show(<RulesTab />);
  return { sent, user: userEvent.setup() };
}

function show(shown: ReactNode) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>{shown}</MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

test('a rule is read as a sentence, with what it has done', async () => {
  open([RULE]);
  expect(await screen.findByText(SENTENCE)).toBeTruthy();
  expect(screen.getByText(/^Rodou 3 vezes em 30 dias/)).toBeTruthy();
});

test('who may not change settings is told that rules are off, and has no switch of them', async () => {
  const granted: Permission[] = ['rules:manage'];
  openSession({ token: 'token', user: makeUser({ granted, pages: [] }) });
  open([RULE]);
  await screen.findByText(SENTENCE);
  expect(screen.getByText(/^As regras estão desligadas na empresa/)).toBeTruthy();
  expect(screen.queryByRole('switch', { name: 'Regras ligadas' })).toBeNull();
  expect(screen.queryByRole('checkbox', { name: 'Regras ligadas' })).toBeNull();
  cleanup();
  openSession({ token: 'token', user: makeUser() });
  open([RULE]);
  await screen.findByLabelText('Regras ligadas');
});

test('one that was switched off says why, and one that starts itself warns', async () => {
  open([{ ...RULE, isOn: false, problem: 'A fila “Trocas” foi excluída.', startsItself: true }]);
  expect(await screen.findByText(/A fila “Trocas” foi excluída\. Edite a regra/)).toBeTruthy();
  expect(screen.getByText(/Esta regra faz o mesmo que a inicia/)).toBeTruthy();
});

test('the first rule is written by choosing its parts', async () => {
  const { sent, user } = open([]);
  await user.click(await screen.findByRole('button', { name: 'Criar regra' }));
  const dialog = await screen.findByRole('dialog', { name: 'Nova regra' });
  const choose = async (part: string, entry: string) => {
    await user.click(within(dialog).getByRole('button', { name: part }));
    await chooseEntry(user, entry);
    // Closing, the menu gives the focus back, which would close the next chooser.
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  };
  await choose('Quando: o cliente espera resposta há', 'o cliente escreve');
  await user.click(within(dialog).getByRole('button', { name: 'Condição' }));
  await choose('Condição 1: a fila', 'a prioridade');
  await user.click(within(dialog).getByRole('button', { name: 'Condição 1: escolha' }));
  await user.click(await screen.findByRole('checkbox', { name: 'urgente', hidden: true }));
  await user.click(screen.getByRole('button', { name: 'Pronto' }));
  await choose('Condição 1: é', 'não é');
  await choose('Ação 1: avisar', 'colocar a tag');
  await user.click(within(dialog).getByRole('button', { name: 'Ação 1: escolha a tag' }));
  await user.click(await screen.findByRole('button', { name: 'Novo' }));
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({
    method: 'POST',
    path: '/rules',
    body: {
      name: '',
      isOn: true,
      trigger: { when: 'message_in' },
      condition: {
        all: [{ not: { field: 'priority', operator: 'is', values: ['urgent'] } }],
      },
      actions: [{ do: 'add_tag', id: 10 }],
    },
  });
});

test('what is missing is told, and nothing is sent', async () => {
  const { sent, user } = open([]);
  await user.click(await screen.findByRole('button', { name: 'Criar regra' }));
  const dialog = await screen.findByRole('dialog', { name: 'Nova regra' });
  await user.click(within(dialog).getByRole('button', { name: 'Condição' }));
  await user.click(within(dialog).getByRole('button', { name: 'Salvar' }));
  expect(within(dialog).getByRole('alert').textContent).toBe('Complete as condições.');
  expect(sent).toEqual([]);
});

test('what can not be rehearsed says so before it is asked', async () => {
  const tagged: Rule = { ...RULE, name: 'VIP', trigger: { when: 'tag_set', ids: [9] } };
  const { user } = open([tagged, { ...RULE, id: 8, name: 'Espera' }]);
  await user.click(await screen.findByRole('button', { name: 'Editar: VIP' }));
  const dialog = await screen.findByRole('dialog', { name: 'Editar regra' });
  expect(within(dialog).getByText(/^Esta regra não pode ser ensaiada/)).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Ensaiar…' })).toBeNull();
  await user.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
  await user.click(await screen.findByRole('button', { name: 'Editar: Espera' }));
  const other = await screen.findByRole('dialog', { name: 'Editar regra' });
  expect(await within(other).findByRole('button', { name: 'Ensaiar…' })).toBeTruthy();
  expect(within(other).queryByText(/^Esta regra não pode ser ensaiada/)).toBeNull();
});

test('a rule on deadlines says that there are none in the company', async () => {
  open([{ ...RULE, name: 'Prazo', trigger: { when: 'sla_step', step: 'due' } }]);
  await userEvent.click(await screen.findByRole('button', { name: 'Editar: Prazo' }));
  const dialog = await screen.findByRole('dialog', { name: 'Editar regra' });
  expect(within(dialog).getByText(/^Os prazos estão desligados/)).toBeTruthy();
  expect(within(dialog).getByRole('button', { name: 'Ensaiar…' })).toBeTruthy();
});

test('the focus goes with an action that is moved, and stays when one goes', async () => {
  const { user } = open([{ ...RULE, name: 'Espera' }]);
  await user.click(await screen.findByRole('button', { name: 'Editar: Espera' }));
  const dialog = await screen.findByRole('dialog', { name: 'Editar regra' });
  const button = (name: string) => within(dialog).getByRole('button', { name });
  await user.click(button('Subir Ação 3'));
  expect(button('Ação 2: adiar')).toBeTruthy();
  expect(document.activeElement).toBe(button('Subir Ação 2'));
  await user.keyboard('{Enter}');
  expect(button('Ação 1: adiar')).toBeTruthy();
  expect(document.activeElement).toBe(button('Subir Ação 1'));
  // It can't go further up.
  await user.keyboard('{Enter}');
  expect(button('Ação 1: adiar')).toBeTruthy();
  await user.click(button('Tirar Ação 3'));
  expect(document.activeElement).toBe(button('Tirar Ação 2'));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(button('Ação'));
  // The last condition, and the one in the group that is left.
  await user.click(button('Tirar Condição 3'));
  expect(document.activeElement).toBe(
    within(dialog).getAllByRole('button', { name: 'Tirar Condição 2' })[0],
  );
});

test('rules are switched and ordered from the list', async () => {
  const other = { ...RULE, id: 8, name: 'Outra', position: 2 };
  const { sent, user } = open([{ ...RULE, name: 'Espera' }, other], () =>
    Response.json({ ...other, isOn: false }),
  );
  await user.click(await screen.findByRole('checkbox', { name: 'Ligar: Outra' }));
  await waitFor(() =>
    expect(sent[0]).toEqual({ method: 'PUT', path: '/rules/8/switch', body: { isOn: false } }),
  );
  await user.click(screen.getByRole('button', { name: 'Subir: Outra' }));
  await waitFor(() =>
    expect(sent[1]).toEqual({ method: 'PUT', path: '/rules/order', body: { ids: [8, 7] } }),
  );
});

test('the log of a rule that has done nothing says so', async () => {
  const { user } = open([{ ...RULE, name: 'Espera' }]);
  await user.click(await screen.findByRole('button', { name: 'O que fez: Espera' }));
  expect(await screen.findByText('Nada ainda')).toBeTruthy();
});

test('a rule that is moved or switched keeps the focus on its control', async () => {
  const first = { ...RULE, name: 'Espera' };
  const other = { ...RULE, id: 8, name: 'Outra', position: 2 };
  const held: (() => void)[] = [];
  const user = userEvent.setup();
  const sent: string[] = [];
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    if (init?.method !== 'PUT')
      return Promise.resolve(Response.json(path === '/rules' ? [first, other] : []));
    sent.push(path);
    const stored = path.endsWith('/order') ? [other, first] : { ...other, isOn: false };
    return new Promise((answer) => held.push(() => answer(Response.json(stored))));
  });
  show(<RulesTab />);
  const up = await screen.findByRole('button', { name: 'Subir: Outra' });
  await user.click(up);
  await waitFor(() => expect(held).toHaveLength(1));
  expect(up.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(up);
  // Pressed again meanwhile, it does nothing.
  await user.keyboard('{Enter}');
  held[0]?.();
  await waitFor(() => expect(screen.getAllByRole('heading')[0]?.textContent).toBe('Outra'));
  // The first one can't go further up.
  expect(document.activeElement).toBe(up);
  expect(up.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ligar: Outra' });
  await user.click(toggle);
  await waitFor(() => expect(held).toHaveLength(2));
  expect(toggle.checked).toBe(false);
  expect(toggle.disabled).toBe(false);
  expect(document.activeElement).toBe(toggle);
  held[1]?.();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(toggle.checked).toBe(false);
  expect(sent).toEqual(['/rules/order', '/rules/8/switch']);
});

test('a next page of the log that fails says so, and is asked for again', async () => {
  const run: RuleRun = {
    id: 90,
    ruleId: 7,
    macroId: null,
    name: 'Espera',
    userName: null,
    when: 'message_in',
    event: { id: null, messageId: 12, rate: null },
    canUndo: false,
    ticketId: 3,
    ticketUuid: '9b0a7c1e-0000-4000-8000-000000000001',
    contactName: 'Maria Silva',
    at: '2026-11-30T13:00:00Z',
    before: {},
    after: {},
    refusal: '',
    sentence: '',
    chain: [],
    undoneAt: null,
  };
  let isDown = true;
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (!pathname.endsWith('/rules/runs'))
      return Promise.resolve(Response.json(pathname.endsWith('/tags/list') ? TAGS : []));
    if (!searchParams.has('beforeId'))
      return Promise.resolve(Response.json({ runs: [run], hasMore: true }));
    return Promise.resolve(
      isDown
        ? Response.json({ error: 'ERR_FORBIDDEN', message: 'Sem acesso.' }, { status: 403 })
        : Response.json({
            runs: [
              {
                ...run,
                id: 89,
                contactName: 'Rui Prado',
                when: 'tag_set',
                event: { ...run.event, id: 9 },
              },
            ],
            hasMore: false,
          }),
    );
  });
  const user = userEvent.setup();
  show(<Runs ruleId={null} />);
  await user.click(await screen.findByRole('button', { name: 'Mostrar mais' }));
  await screen.findByRole('alert');
  const again = screen.getByRole('button', { name: 'Tentar de novo' });
  expect(document.activeElement).toBe(again);
  expect(screen.getByRole('link', { name: /Maria Silva/ })).toBeTruthy();
  isDown = false;
  await user.click(again);
  await screen.findByRole('link', { name: /Rui Prado/ });
  // By what each one ran.
  expect(screen.getByText('Porque o cliente escreveu')).toBeTruthy();
  expect(await screen.findByText('Porque a conversa recebeu a tag VIP')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
