import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { TestMessageDialog } from './TestMessageDialog';
import type { TestMessage } from './testMessage';
import type { Connection } from './types';

const live = vi.hoisted((): { tell: (event: unknown) => void; join: () => void } => ({
  tell: () => undefined,
  join: () => undefined,
}));
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (_name: string, handler: (event: unknown) => void) => {
    live.tell = handler;
  },
  useTicketRoom: (_id: number, onJoined: () => void) => {
    live.join = onJoined;
  },
}));

const SENT = {
  id: 9,
  ticketId: 4,
  ack: 0,
  errorReason: '',
  reasonCode: '',
  reasonDetail: '',
  updatedAt: '2026-11-20T10:00:00Z',
} as TestMessage;
const TEMPLATES = [
  { name: 'ola', language: 'pt_BR', category: 'UTILITY', canBeSent: true, components: [] },
  { name: 'velho', language: 'pt_BR', category: 'UTILITY', canBeSent: false, components: [] },
  {
    name: 'foto',
    language: 'pt_BR',
    category: 'UTILITY',
    canBeSent: true,
    components: [{ type: 'HEADER', format: 'IMAGE' }],
  },
];

let bodies: Record<string, unknown>[];
let answer: () => Response;

beforeEach(() => {
  bodies = [];
  answer = () => new Response(JSON.stringify(SENT), { status: 201 });
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_input: string, init?: RequestInit) => {
    if (init?.method !== 'POST')
      return Promise.resolve(new Response(JSON.stringify({ templates: TEMPLATES })));
    bodies.push(JSON.parse(init.body as string) as Record<string, unknown>);
    return Promise.resolve(answer());
  });
});

const show = (provider: Connection['provider']) =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <TestMessageDialog
          connection={{ id: 5, name: 'Loja', provider } as Connection}
          onClose={() => undefined}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const current = () =>
  screen.getAllByRole('listitem').find((each) => each.getAttribute('aria-current') === 'step')
    ?.textContent;

test('a message is followed until it is at the telephone', async () => {
  show('beta');
  expect(screen.queryByLabelText('O que enviar')).toBeNull();
  await press('Enviar teste');
  expect(await screen.findAllByText('Campo obrigatório!')).toHaveLength(2);
  await userEvent.type(screen.getByLabelText('Número de destino'), '123');
  await press('Enviar teste');
  await screen.findByText('Informe o número com o código do país e o DDD.');
  await userEvent.type(screen.getByLabelText('Número de destino'), '45678 9012');
  await userEvent.type(screen.getByLabelText('Mensagem'), 'Oi');
  await press('Enviar teste');
  await screen.findByText('Aguardando a vez de sair.');
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toMatchObject({ number: '12345678 9012', body: 'Oi' });
  expect(current()).toBe('Na fila de envio');

  const tell = (fields: Partial<TestMessage>) =>
    act(() => {
      live.tell({ action: 'update', message: { ...SENT, ...fields } });
    });
  // WhatsApp's server has the message, the phone not yet.
  tell({ ack: 2, updatedAt: '2026-11-20T10:00:00Z' });
  expect(current()).not.toBe('Entregue');
  tell({ ack: 3, updatedAt: '2026-11-20T10:00:02Z' });
  expect(current()).toBe('Entregue');
  screen.getByText('A mensagem chegou ao celular. A conexão envia.');
  // An older state, and an event of another message.
  tell({ ack: 1, updatedAt: '2026-11-20T10:00:01Z' });
  tell({ id: 10, ack: -1, updatedAt: '2026-11-20T10:00:09Z' });
  expect(current()).toBe('Entregue');
});

test('what happened before its room was entered is asked for with the same id', async () => {
  show('beta');
  await userEvent.type(screen.getByLabelText('Número de destino'), '5511987654321');
  await userEvent.type(screen.getByLabelText('Mensagem'), 'Oi');
  await press('Enviar teste');
  await screen.findByText('Aguardando a vez de sair.');
  const failed = {
    ...SENT,
    ack: -1,
    reasonCode: 'not_reachable',
    updatedAt: '2026-11-20T10:01:00Z',
  };
  answer = () => new Response(JSON.stringify(failed), { status: 201 });
  act(() => {
    live.join();
  });
  const status = within(screen.getByRole('status'));
  await status.findByText(/O contato não está no WhatsApp/);
  expect(bodies[1]).toEqual(bodies[0]);
  await press('Testar de novo');
  answer = () => new Response(JSON.stringify(SENT), { status: 201 });
  await press('Enviar teste');
  await screen.findByText('Aguardando a vez de sair.');
  expect(bodies[2]?.clientId).not.toBe(bodies[0]?.clientId);
});

test('an official number offers templates, and says why a text does not go', async () => {
  const refusal = { error: 'x', code: 'ERR_OUTSIDE_24H_WINDOW', message: 'x', fields: {} };
  answer = () => new Response(JSON.stringify(refusal), { status: 409 });
  show('official');
  const choice = screen.getByLabelText('O que enviar');
  await waitFor(() => expect(within(choice).getAllByRole('option')).toHaveLength(2));
  await userEvent.type(screen.getByLabelText('Número de destino'), '5511987654321');
  await userEvent.type(screen.getByLabelText('Mensagem'), 'Oi');
  await press('Enviar teste');
  await screen.findByText(/Passaram mais de 24 horas/);
  await userEvent.selectOptions(choice, 'ola (pt_BR)');
  expect(screen.queryByLabelText('Mensagem')).toBeNull();
  answer = () => new Response(JSON.stringify(SENT), { status: 201 });
  await press('Enviar teste');
  await screen.findByText('Aguardando a vez de sair.');
  expect(bodies[1]).toMatchObject({ template: { name: 'ola', language: 'pt_BR' } });
  expect(bodies[1]?.clientId).not.toBe(bodies[0]?.clientId);
});
