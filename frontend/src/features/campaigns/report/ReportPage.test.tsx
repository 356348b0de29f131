import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import type { LiveEvent } from '@/lib/api/types';
import { openSession } from '@/stores/session';
import { giveRoom } from '@/test/room';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { makeCampaign } from '../testData';
import { ReportPage } from './ReportPage';
// Loaded in advance, because it takes long.
import './TimelineChart';
import type { CampaignReport, Recipient, Timeline } from './types';

type Told = LiveEvent<'campaign'>;
let tell: (event: Told) => void = () => undefined;
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (_name: string, handler: (event: Told) => void) => {
    tell = handler;
  },
}));

const running = makeCampaign({
  status: 'EM_ANDAMENTO',
  startedAt: '2026-11-24T12:00:00Z',
  updatedAt: '2026-11-24T12:00:00Z',
});

function makeReport(changes: Partial<CampaignReport> = {}): CampaignReport {
  return {
    campaign: running,
    total: 2000,
    valid: 1900,
    delivered: 950,
    reached: 900,
    read: 475,
    answered: 95,
    confirmationRequested: 0,
    confirmed: 0,
    failed: 12,
    skipped: 100,
    notConfirmed: 0,
    optedOut: 3,
    blocked: 1,
    states: [
      { state: 'pending', count: 938 },
      { state: 'sent', count: 950 },
      { state: 'failed', count: 12 },
      { state: 'skipped', count: 100 },
    ],
    reasons: [],
    variants: [],
    estimatedFinishAt: null,
    cost: { currency: 'BRL', amount: '12.5', isComplete: true },
    ...changes,
  };
}

const person: Recipient = {
  id: 1,
  name: 'Ana Prado',
  number: '5511984321107',
  email: '',
  state: 'failed',
  variant: 2,
  ack: 0,
  reason: 'not_reachable',
  detail: '',
  sentAt: null,
  reachedAt: null,
  readAt: null,
  answeredAt: null,
  confirmationRequestedAt: null,
  confirmedAt: null,
  ticketUuid: 'a-b-c',
};

let report: () => Response;
let timeline: Timeline;
let people: Recipient[];
let calls: string[];

beforeEach(() => {
  giveRoom();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  calls = [];
  report = () => Response.json(makeReport());
  timeline = { unit: 'minute', points: [] };
  people = [person];
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (input: string) => {
    const { pathname, search } = new URL(input, 'http://balcao.test');
    calls.push(pathname + search);
    if (pathname.endsWith('/report')) return Promise.resolve(report());
    if (pathname.endsWith('/timeline')) return Promise.resolve(Response.json(timeline));
    return Promise.resolve(
      Response.json({ records: people, count: people.length, hasMore: false }),
    );
  });
});

afterEach(() => vi.useRealTimers());

function open(address = '/', onOpenTicket = vi.fn()) {
  const router = createMemoryRouter(
    [
      {
        path: '*',
        Component: () => <ReportPage campaignId={7} onBack={vi.fn()} onOpenTicket={onOpenTicket} />,
      },
    ],
    { initialEntries: [address] },
  );
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { router, onOpenTicket };
}

/** The value of a card by its name. */
async function card(name: string) {
  const term = await screen.findByText(name, { selector: 'dt' });
  return within(term.parentElement ?? term).getByRole('definition');
}

test('the line and the bar say how many were delivered of the valid contacts', async () => {
  open();
  expect(await screen.findByText('950 entregues de 1.900 contatos válidos')).toBeDefined();
  const bar = screen.getByRole('progressbar', { name: 'Entregues dos contatos válidos' });
  expect(bar.getAttribute('aria-valuenow')).toBe('50');
  expect((await card('Contatos válidos')).textContent).toContain('1.900');
  expect((await card('Entregues')).textContent).toContain('950');
  expect((await card('Lista de contatos')).textContent).toContain('Clientes');
  expect((await card('Conclusão')).textContent).toContain('Não concluída');
  expect((await card('Pediram para sair')).textContent).toContain('3');
  expect((await card('Custo')).textContent).toBe('R$\u00a012,50');
});

test('one of each is said as one', async () => {
  const at = new Date(2026, 10, 24, 9, 5).toISOString();
  report = () => Response.json(makeReport({ delivered: 1, valid: 1 }));
  timeline = { unit: 'minute', points: [{ at, delivered: 1, read: 1, answered: 1 }] };
  open();
  expect(await screen.findByText('1 entregue de 1 contato válido')).toBeDefined();
  expect(
    await screen.findByRole('img', { name: /: 1 entrega, 1 leitura e 1 resposta\.$/ }),
  ).toBeDefined();
});

test('confirmations stand only where they were asked for', async () => {
  open();
  await card('Contatos válidos');
  expect(screen.queryByText('Confirmações')).toBeNull();
  queryClient.clear();
  report = () =>
    Response.json(
      makeReport({
        campaign: { ...running, confirmation: true },
        confirmationRequested: 40,
        confirmed: 10,
      }),
    );
  open();
  expect((await card('Confirmações solicitadas')).textContent).toContain('40');
  expect((await card('Confirmações')).textContent).toContain('10');
});

test('one that has not started says so, without a course over time', async () => {
  report = () =>
    Response.json(makeReport({ campaign: makeCampaign(), total: 0, valid: 1900, delivered: 0 }));
  open();
  expect(await screen.findByText('Esta campanha ainda não começou.')).toBeDefined();
  expect(screen.getByText('0 entregue de 1.900 contatos válidos')).toBeDefined();
  expect((await card('Contatos válidos')).textContent).toContain('1.900');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('0');
  expect(calls.some((call) => call.includes('timeline'))).toBe(false);
});

test('what a running one waits for is said at once, its end is asked for 5 s later', async () => {
  open();
  await screen.findByText('950 entregues de 1.900 contatos válidos');
  const asked = () => calls.filter((call) => call.endsWith('/report')).length;
  expect(asked()).toBe(1);
  vi.useFakeTimers();
  const ended = { ...running, status: 'FINALIZADA' as const, updatedAt: '2026-11-24T13:00:00Z' };
  report = () => Response.json(makeReport({ campaign: ended, delivered: 1888 }));
  await act(async () => {
    tell({ action: 'update', record: ended });
    await vi.advanceTimersByTimeAsync(50);
  });
  expect(screen.getByText('Finalizada')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(4900));
  expect(asked()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(asked()).toBe(2);
  vi.useRealTimers();
  expect(await screen.findByText('1.888 entregues de 1.900 contatos válidos')).toBeDefined();
});

test('what is told of another campaign changes nothing', async () => {
  open();
  await screen.findByText('Em Andamento');
  act(() =>
    tell({
      action: 'update',
      record: { ...running, id: 8, status: 'CANCELADA', updatedAt: '2027' },
    }),
  );
  expect(screen.getByText('Em Andamento')).toBeDefined();
  expect(calls.filter((call) => call.endsWith('/report'))).toHaveLength(1);
});

test('the course over time is told in words and as a table', async () => {
  const at = new Date(2026, 10, 24, 9, 5).toISOString();
  timeline = { unit: 'minute', points: [{ at, delivered: 40, read: 10, answered: 2 }] };
  open();
  expect(
    await screen.findByRole('img', {
      name: 'De 24/11/2026 09:05 a 24/11/2026 09:05: 40 entregas, 10 leituras e 2 respostas.',
    }),
  ).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Ver em tabela' }));
  const row = screen.getByRole('row', { name: /24\/11\/2026 09:05/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['24/11/2026 09:05', '40', '10', '2']);
});

test('the figures of a moment are shown to who comes by keyboard', async () => {
  const point = { delivered: 40, read: 10, answered: 2 };
  timeline = {
    unit: 'hour',
    points: [
      { at: new Date(2026, 10, 24, 9).toISOString(), ...point },
      { at: new Date(2026, 10, 24, 10).toISOString(), ...point, delivered: 31 },
    ],
  };
  open();
  const chart = await screen.findByRole('img', { name: /: 71 entregas, 20 leituras/ });
  expect(screen.getByText('71')).toBeDefined();
  act(() => chart.focus());
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByText('24/11/2026 10:00')).toBeDefined();
  expect(screen.getByText('31')).toBeDefined();
  act(() => chart.blur());
  expect(await screen.findByText('71')).toBeDefined();
});

test('each text stands beside the others, the clearly better one marked', async () => {
  report = () =>
    Response.json(
      makeReport({
        variants: [
          { number: 1, sent: 500, delivered: 480, read: 240, answered: 24 },
          { number: 2, sent: 500, delivered: 470, read: 300, answered: 141 },
        ],
      }),
    );
  open();
  const better = await screen.findByRole('row', { name: /Msg\. 2/ });
  expect(within(better).getByText('Mais respondido')).toBeDefined();
  expect(better.textContent).toContain('14130%');
  expect(screen.getAllByText('Mais respondido')).toHaveLength(1);
});

test('recipients are searched and filtered by what the address says, with their reason', async () => {
  const { router, onOpenTicket } = open('/?tab=recipients');
  const row = (await screen.findByText('Ana Prado')).closest('tr');
  expect(row?.textContent).toContain('Falhou');
  await waitFor(() => expect(row?.textContent).toContain('WhatsApp'));
  await userEvent.selectOptions(screen.getByLabelText('Situação'), 'failed');
  await waitFor(() => expect(calls.at(-1)).toContain('state=failed'));
  expect(router.state.location.search).toContain('state=failed');
  await userEvent.type(screen.getByLabelText('Buscar por nome, número ou e-mail'), 'ana{Enter}');
  await waitFor(() => expect(calls.at(-1)).toContain('searchParam=ana'));
  await userEvent.click(screen.getByLabelText('Abrir a conversa com Ana Prado'));
  expect(onOpenTicket).toHaveBeenCalledWith('a-b-c');
});

test('nobody found leads back to everybody', async () => {
  people = [];
  const { router } = open('/?tab=recipients&state=failed');
  await userEvent.click(await screen.findByRole('button', { name: 'Mostrar todos' }));
  expect(router.state.location.search).toBe('?tab=recipients');
});

test('a report that does not come says why and is asked for again', async () => {
  report = () =>
    Response.json(
      { error: 'ERR_NO_CAMPAIGN_FOUND', code: 'ERR_NO_CAMPAIGN_FOUND', message: 'x', fields: {} },
      { status: 404 },
    );
  open();
  expect(await screen.findByRole('alert')).toBeDefined();
  report = () => Response.json(makeReport());
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('950 entregues de 1.900 contatos válidos')).toBeDefined();
});

test('results are a funnel of the valid contacts, and what is outside of it stands below', async () => {
  report = () =>
    Response.json(
      makeReport({
        campaign: {
          ...running,
          contactList: null,
          sources: [
            { kind: 'list', name: 'Clientes de maio' },
            { kind: 'tag', name: 'VIP' },
          ],
        },
      }),
    );
  open();
  // The list was deleted since.
  expect((await card('Lista de contatos')).textContent).toBe('Clientes de maio, tag VIP');
  const names = (label: string) =>
    within(screen.getByLabelText(label, { selector: 'dl' }))
      .getAllByRole('term')
      .map(({ textContent }) => textContent);
  expect(names('Campanha')).toEqual(['Conexão', 'Lista de contatos', 'Agendamento', 'Conclusão']);
  expect(names('Resultado')).toEqual([
    'Contatos válidos',
    'Entregues',
    'Chegaram ao aparelho',
    'Lidas',
    'Respondidas',
    'Pediram para sair',
  ]);
  expect(names('Fora do funil')).toEqual(['Falharam', 'Puladas', 'Bloquearam ofertas', 'Custo']);
  expect((await card('Entregues')).textContent).toBe('95050% dos válidos');
});
