import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { HealthDialog } from './HealthDialog';
import type { Connection, Health } from './types';

const HEALTH: Health = {
  id: 5,
  lastInAt: '2026-11-20T10:31:00Z',
  lastOutAt: null,
  lastOutAck: null,
  failed: 3,
  failures: [
    { reasonCode: 'not_reachable', reasonDetail: '', sentence: 'Não está.', count: 2 },
    { reasonCode: '', reasonDetail: '', sentence: 'Sem rede.', count: 1 },
  ],
  waiting: 1200,
  waitingSince: '2026-11-20T10:40:00Z',
  qualityRating: 'YELLOW',
  qualityAt: new Date().toISOString(),
  messagingLimit: 2000,
  messagingLimitAt: '2026-11-20T10:40:00Z',
  portfolioId: '300000000000999',
  portfolioName: 'Loja da Ana',
  portfolioNumbers: [
    { id: 6, name: 'Vendas', number: '551133334444' },
    { id: 7, name: 'Suporte', number: '' },
  ],
  portfolioUsed: 1240,
  businessVerification: 'not_verified',
  businessVerificationAt: '2026-11-20T10:40:00Z',
  alerts: [],
  phone: [],
};

const NUMBER = {
  id: 5,
  name: 'Loja',
  routingRoles: ['organic', 'calls', 'standby'],
  routingRolesAt: '2026-11-20T03:00:00Z',
  directSend: 'may_not',
  directSendAt: '2026-11-20T03:00:00Z',
  directSendUntil: '2026-11-27T03:00:00Z',
};

let health: Health;
let calls: string[];

beforeEach(() => {
  health = HEALTH;
  calls = [];
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    calls.push(`${method} ${new URL(input, 'http://balcao.test').pathname}`);
    if (method === 'DELETE') health = { ...health, alerts: [] };
    return Promise.resolve(new Response(JSON.stringify(health)));
  });
});

const show = (provider: Connection['provider']) =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <HealthDialog
          connection={{ ...NUMBER, provider } as Connection}
          onClose={() => undefined}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
const fact = (label: string) => within(screen.getByText(label).parentElement ?? document.body);

test('what failed is told by reason, what waits with its age', async () => {
  show('official');
  await screen.findByText('Última recebida');
  fact('Última enviada').getByText('Nenhuma');
  fact('Aguardando envio').getByText('1.200');
  const reasons = within(screen.getByRole('list', { name: 'Falhas por motivo' }));
  await reasons.findByText('O contato não está no WhatsApp ou não pode receber esta mensagem.');
  reasons.getByText('Sem rede.');
  fact('Funções na conversa').getByText('organic, Chamadas, Cópias de outras conversas');
  fact('Qualidade').getByText('Média');
  fact('Limite de mensagens').getByText('2.000 pessoas em 24 horas');
  fact('Conversas iniciadas em 24 horas').getByText('1.240 pessoas');
  fact('Empresa').getByText('Não verificada pela Meta');
  fact('Portfólio').getByText('Loja da Ana');
  fact('Divide o limite com').getByText('Vendas, Suporte');
  expect(calls).not.toContain('POST /api/whatsapp/5/health');
});

test('what Meta said long ago is asked for anew, once', async () => {
  health = {
    ...HEALTH,
    qualityAt: null,
    qualityRating: '',
    messagingLimit: null,
    portfolioId: '',
    portfolioName: '',
    businessVerification: '',
  };
  show('official');
  await screen.findByText('Ainda sem nota');
  for (const label of ['Limite de mensagens', 'Portfólio', 'Empresa'])
    fact(label).getByText('Ainda não informado');
  await waitFor(() => expect(calls).toContain('POST /api/whatsapp/5/health'));
  expect(calls.filter((each) => each.startsWith('POST'))).toHaveLength(1);
});

test('a session has no figures of Meta, and nobody asks for them', async () => {
  health = { ...HEALTH, qualityAt: null };
  show('beta');
  await screen.findByText('Última recebida');
  expect(screen.queryByText('Qualidade')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Consultar a Meta' })).toBeNull();
  expect(calls.filter((each) => each.startsWith('POST'))).toEqual([]);
});

const RESTRICTED = {
  kind: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
  severity: 'critical',
  text: '',
} as const;

test('alerts are in our words where there are some, and go when they are read', async () => {
  const at = '2026-11-20T10:40:00Z';
  health = {
    ...HEALTH,
    alerts: [
      { kind: 'OBA_APPROVED', severity: 'informational', text: 'Approved', at, until: null },
      { kind: 'NEW_KIND', severity: 'critical', text: 'Do something.', at, until: null },
      { ...RESTRICTED, at, until: '2026-11-23T13:05:00Z' },
    ],
  };
  show('official');
  await screen.findByText('O número agora é uma conta comercial oficial.');
  screen.getByText('Do something.');
  screen.getByText(/não deixa a conta iniciar conversas: .* Até 23\/11\/2026/);
  await userEvent.click(screen.getByRole('button', { name: 'Dispensar avisos' }));
  expect(calls).toContain('DELETE /api/whatsapp/5/alerts');
  await waitFor(() => expect(screen.queryByText('Do something.')).toBeNull());
});

const SYNC = {
  kind: 'history',
  state: 'running',
  phase: 1,
  progress: 55,
  received: 1200,
  askedAt: null,
  receivedAt: null,
  sentence: '',
  reasonCode: '',
  reasonDetail: '',
} as const;

test('what a phone tells is shown with how far it is', async () => {
  health = { ...HEALTH, phone: [SYNC] };
  show('official');
  const bar = await screen.findByRole('progressbar', { name: 'Conversas recebidas' });
  expect(bar.getAttribute('aria-valuenow')).toBe('55');
  screen.getByText('55% · últimos 90 dias · 1.200 mensagens');
  expect(screen.queryByRole('button', { name: /^Pedir de novo/ })).toBeNull();
});

test('what is unclear is asked for again by a person, who is told the risk', async () => {
  health = { ...HEALTH, phone: [{ ...SYNC, state: 'unclear', phase: null, received: 0 }] };
  show('official');
  await screen.findByText('sem resposta: não se sabe se a Meta recebeu o pedido');
  screen.getByText(/A Meta atende cada pedido uma só vez/);
  await userEvent.click(screen.getByRole('button', { name: 'Pedir de novo as conversas' }));
  await waitFor(() => expect(calls).toContain('POST /api/whatsapp/5/phone'));
});

test('two that may be asked for again are told apart by their names', async () => {
  const failed = { ...SYNC, state: 'failed', phase: null, received: 0 } as const;
  health = { ...HEALTH, phone: [{ ...failed, kind: 'contacts' }, failed] };
  show('official');
  const buttons = await screen.findAllByRole('button', { name: /^Pedir de novo/ });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Pedir de novo os contatos',
    'Pedir de novo as conversas',
  ]);
  // The accessible name is the visible text, so that voice control finds it.
  expect(buttons.map((button) => button.textContent)).toEqual(['Pedir de novo', 'Pedir de novo']);
});
