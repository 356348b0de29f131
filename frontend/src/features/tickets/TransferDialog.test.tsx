import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Permission } from '@/lib/permissions';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { TransferDialog } from './TransferDialog';
import type { Ticket } from './types';

const me = makeUser();
const QUEUE = { id: 3, name: 'Vendas', color: '#0F8EA3' };
const HELD = {
  id: 5,
  status: 'open',
  userId: me.id,
  user: { id: me.id, name: me.name },
  queueId: QUEUE.id,
  queue: QUEUE,
  whatsappId: 1,
  contact: { id: 9, name: 'Lia' },
} as unknown as Ticket;

const OTHER = { id: 4, name: 'Cobrança', color: '#E0763A' };
const person = (id: number, name: string, ...queues: unknown[]) => ({
  ...makeUser({ id, name, profile: 'user' }),
  queues,
});
const PEOPLE = [me, person(8, 'Bruno', QUEUE), person(9, 'Rita', OTHER)];

let sent: unknown[];

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: me });
  sent = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (init?.method === 'PUT') {
      sent.push(JSON.parse(init.body as string));
      return Promise.resolve(Response.json(HELD));
    }
    const { pathname } = new URL(input, 'http://balcao.test');
    const rows = pathname.includes('/whatsapp')
      ? [
          { id: 1, name: 'Loja' },
          { id: 2, name: 'Oficina' },
        ]
      : pathname.includes('/queue')
        ? [QUEUE, OTHER]
        : pathname.includes('/users')
          ? PEOPLE
          : [];
    return Promise.resolve(Response.json(rows));
  });
});

function show(ticket: Ticket) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <TransferDialog ticket={ticket} onClose={vi.fn()} onDone={vi.fn()} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

async function moveTo(name: string) {
  const field = await screen.findByLabelText(/^Conexão/);
  await screen.findByRole('option', { name });
  await userEvent.selectOptions(field, name);
  await userEvent.click(screen.getByRole('button', { name: 'Transferir' }));
}

test('another connection alone changes the number, and the holder keeps the ticket', async () => {
  show(HELD);
  await moveTo('Oficina');
  expect(screen.getByText(new RegExp(`continua com ${me.name}`))).toBeDefined();
  await vi.waitFor(() => expect(sent).toEqual([{ whatsappId: 2 }]));
});

test.each([
  ['that is closed', { status: 'closed' }],
  ['without a queue', { queueId: null, queue: null }],
] as const)('a ticket %s needs a person or a queue, too', async (_name, fields) => {
  show({ ...HELD, ...fields });
  await moveTo('Oficina');
  expect(await screen.findByText('Escolha uma pessoa ou uma fila')).toBeDefined();
  expect(sent).toEqual([]);
});

test('with the same connection somebody is to be chosen', async () => {
  show(HELD);
  await moveTo('Loja');
  expect(await screen.findByText('Escolha uma pessoa ou uma fila')).toBeDefined();
  expect(sent).toEqual([]);
});

test('a queue that wants a note gets no conversation without one', async () => {
  const wants = { id: 8, name: 'Pedidos', color: '#E0763A', asksTransferNote: true };
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (init?.method === 'PUT') {
      sent.push(JSON.parse(init.body as string));
      return Promise.resolve(Response.json(HELD));
    }
    const { pathname } = new URL(input, 'http://balcao.test');
    return Promise.resolve(Response.json(pathname.includes('/queue') ? [wants] : []));
  });
  show(HELD);
  const field = await screen.findByRole('combobox');
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: /^Pedidos/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Transferir' }));
  expect(await screen.findByText('Esta fila pede um recado')).toBeDefined();
  expect(sent).toEqual([]);
  await userEvent.type(screen.getByLabelText(/^Recado/), 'Quer trocar o P');
  await userEvent.click(screen.getByRole('button', { name: 'Transferir' }));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ queueId: 8, note: 'Quer trocar o P' });
});

/** Opens the list of targets for a role that lacks a permission. */
async function targets(lacking: Permission) {
  const granted = me.granted.filter((each) => each !== lacking);
  openSession({ token: 'abc', user: { ...me, granted } });
  show(HELD);
  await userEvent.click(await screen.findByRole('combobox', { name: /^Para quem/ }));
  // Not those of the native select of connections.
  return (await screen.findAllByRole('option')).filter(({ tagName }) => tagName !== 'OPTION');
}

test('who may not transfer gives it to somebody of its queue, on its connection', async () => {
  const [bruno, rita, ...others] = await targets('tickets:transfer');
  expect(bruno?.textContent).toContain('Bruno');
  expect(rita?.getAttribute('aria-disabled')).toBe('true');
  expect(others).toEqual([]);
  expect(screen.queryByLabelText(/^Conexão/)).toBeNull();
  await userEvent.click(screen.getByText('Bruno'));
  await userEvent.click(screen.getByRole('button', { name: 'Transferir' }));
  await vi.waitFor(() => expect(sent).toEqual([{ userId: 8, queueId: 3, whatsappId: 1 }]));
});

test('who may not assign chooses a queue', async () => {
  const names = (await targets('tickets:assign')).map(({ textContent }) => textContent);
  expect(names).toHaveLength(2);
  expect(names.join()).toMatch(/Vendas.*Cobrança|Cobrança.*Vendas/);
});
