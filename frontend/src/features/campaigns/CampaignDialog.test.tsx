import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { CampaignDialog } from './CampaignDialog';
import { makeCampaign } from './testData';
import type { Campaign, Estimate } from './types';

const onClose = vi.fn();
const sent: { method: string; path: string; body: unknown }[] = [];
let answers: Record<string, () => Response>;

const ESTIMATE: Estimate = {
  recipients: 1200,
  leftOut: [{ reason: 'opted_out', count: 3 }],
  finishAt: '2026-11-10T18:30:00Z',
  durationSeconds: 3600,
  cost: {
    currency: 'BRL',
    amount: '375.00',
    lines: [
      { category: 'MARKETING', country: 'BR', recipients: 1000, price: '0.375', amount: '375.00' },
      { category: 'MARKETING', country: 'PT', recipients: 200, price: null, amount: null },
    ],
    isComplete: false,
  },
  billedShares: [],
  tierLimit: 1000,
  isAboveTier: true,
  aboveTier: 200,
  portfolioNumbers: ['Vendas'],
  portfolioUsed: 240,
  portfolioPlanned: 150,
};

const HEALTH = {
  id: 3,
  qualityRating: 'GREEN',
  messagingLimit: 250,
  portfolioId: '9',
  portfolioName: 'Loja da Ana',
  portfolioNumbers: [{ id: 4, name: 'Vendas', number: '' }],
  portfolioUsed: 240,
  businessVerification: 'not_verified',
};

function show(campaign?: Campaign) {
  const element = <CampaignDialog campaign={campaign} onClose={onClose} />;
  const router = createMemoryRouter([{ path: '/', element }]);
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const lastBody = () => sent.findLast(({ method }) => method === 'POST' || method === 'PUT')?.body;

beforeEach(() => {
  onClose.mockReset();
  sent.length = 0;
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: true,
    media: query,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  answers = {
    '/contact-lists/list': () => Response.json([]),
    '/campaigns': () => Response.json(makeCampaign({ id: 8 })),
    '/campaigns/7': () => Response.json(makeCampaign()),
    '/campaigns/7/estimate': () => Response.json(ESTIMATE),
    '/whatsapp/3/health': () => Response.json(HEALTH),
    '/files/': () => Response.json({ files: [], count: 0, hasMore: false }),
  };
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    const path = (address.replace('/api', '').split('?')[0] ?? '').replace(/(\w)\/$/, '$1');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    sent.push({ method: init.method ?? 'GET', path, body });
    const answer = answers[path] ?? answers[`${path}/`] ?? (() => Response.json([]));
    return Promise.resolve(answer());
  });
});

test('what is empty goes as null, and no time means none', async () => {
  show();
  await userEvent.type(await screen.findByLabelText(/^Nome/), 'Dia das Mães');
  await press('Salvar');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(lastBody()).toMatchObject({
    name: 'Dia das Mães',
    message1: null,
    confirmationMessage5: null,
    contactListId: null,
    tagListId: null,
    segmentId: null,
    scheduledAt: null,
    templateName: null,
    confirmation: false,
  });
});

test.each([
  ['', 'Campo obrigatório!'],
  ['D', 'Muito curto!'],
  ['D'.repeat(51), 'Muito longo!'],
])('the name %j is refused: %s', async (name, words) => {
  show();
  const field = await screen.findByLabelText(/^Nome/);
  if (name) await userEvent.type(field, name);
  await press('Salvar');
  expect(await screen.findByText(words)).toBeTruthy();
  expect(lastBody()).toBeUndefined();
});

test.each(['Dd', 'D'.repeat(50)])('the name %s is taken', async (name) => {
  show();
  await userEvent.type(await screen.findByLabelText(/^Nome/), name);
  await press('Salvar');
  await waitFor(() => expect(lastBody()).toMatchObject({ name }));
});

test("a time goes with its seconds, on the company's clock", async () => {
  show();
  await userEvent.type(await screen.findByLabelText(/^Nome/), 'Dia das Mães');
  await userEvent.type(screen.getByLabelText('Data'), '10/11/2099');
  await userEvent.type(screen.getByLabelText('Hora'), '10:30');
  await press('Salvar');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const moment = new Date(2099, 10, 10, 10, 30);
  const { scheduledAt } = lastBody() as { scheduledAt: string };
  expect(scheduledAt).toMatch(/^2099-11-\d\d \d\d:\d\d:00$/);
  expect(Date.parse(`${scheduledAt.replace(' ', 'T')}-03:00`)).toBe(moment.getTime());
});

test.each(['CANCELADA', 'INATIVA'] as const)(
  'a campaign that was stopped (%s) says why',
  async (status) => {
    show(makeCampaign({ status, waitCode: 'internal' }));
    await screen.findByText(/^Ocorreu um erro interno/);
  },
);

test('a refusal stands at its message, whose tab is shown', async () => {
  const sentence = 'Escreva ao menos uma mensagem, anexe um arquivo ou escolha um modelo.';
  answers['/campaigns/7'] = () =>
    Response.json(
      {
        code: 'ERR_CAMPAIGN_EMPTY',
        error: 'ERR_CAMPAIGN_EMPTY',
        message: sentence,
        fields: { message1: [sentence] },
      },
      { status: 400 },
    );
  show(makeCampaign());
  await userEvent.click(await screen.findByRole('tab', { name: /Msg\. 3/ }));
  await press('Salvar');
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByRole('tab', { name: /Msg\. 1/ }).getAttribute('aria-selected')).toBe('true');
  expect(onClose).not.toHaveBeenCalled();
});

test.each(['EM_ANDAMENTO', 'FINALIZADA'] as const)('%s is shown read-only', async (status) => {
  show(makeCampaign({ status, progress: { total: 10, ended: 4, assessed: 0 } }));
  expect(await screen.findByRole('dialog', { name: 'Apenas visualização' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/^Nome/).disabled).toBe(true);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Mensagem 1').disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Salvar' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Iniciar agora' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Cancelar campanha' }) !== null).toBe(
    status === 'EM_ANDAMENTO',
  );
  expect(screen.queryByRole('button', { name: 'Retirar agendamento' })).toBeNull();
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('in its last hour a planned one is read-only and loses its time by a button', async () => {
  answers['/campaigns/7/cancel'] = () => Response.json({ message: 'Agendamento retirado.' });
  show(makeCampaign({ status: 'PROGRAMADA', scheduledAt: inMinutes(50) }));
  expect(await screen.findByRole('dialog', { name: 'Apenas visualização' })).toBeTruthy();
  await press('Retirar agendamento');
  const asked = await screen.findByRole('alertdialog', {
    name: 'Retirar o agendamento de Dia das Mães?',
  });
  expect(sent.some(({ method }) => method === 'POST')).toBe(false);
  await userEvent.click(within(asked).getByRole('button', { name: 'Retirar agendamento' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/campaigns/7/cancel',
  ]);
});

test('the time of one that may be changed is taken out of its fields', async () => {
  show(makeCampaign({ status: 'PROGRAMADA', scheduledAt: inMinutes(70) }));
  expect(await screen.findByRole('dialog', { name: 'Editar campanha' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Retirar agendamento' })).toBeNull();
});

test('without campaigns in the plan it is looked at, and nothing is sent', async () => {
  const { company } = makeUser();
  const plan = { ...company.plan, useCampaigns: false };
  openSession({ token: 'abc', user: makeUser({ company: { ...company, plan } }) });
  show(makeCampaign({ status: 'CANCELADA' }));
  expect(await screen.findByRole('dialog', { name: 'Apenas visualização' })).toBeTruthy();
  for (const name of ['Salvar', 'Iniciar agora', 'Reiniciar', 'Enviar teste'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('without campaigns in the plan a planned one can still be stopped', async () => {
  const { company } = makeUser();
  const plan = { ...company.plan, useCampaigns: false };
  openSession({ token: 'abc', user: makeUser({ company: { ...company, plan } }) });
  show(makeCampaign({ status: 'PROGRAMADA', scheduledAt: inMinutes(600) }));
  expect(await screen.findByRole('button', { name: 'Retirar agendamento' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Iniciar agora' })).toBeNull();
});

test('a cancelled one takes other words; its recipients and its time stay', async () => {
  answers['/campaigns/7'] = () => Response.json(makeCampaign({ status: 'CANCELADA' }));
  show(makeCampaign({ status: 'CANCELADA', scheduledAt: '2026-11-01T12:00:30Z' }));
  expect((await screen.findByLabelText<HTMLSelectElement>('Lista de contatos')).disabled).toBe(
    true,
  );
  expect(screen.getByRole('button', { name: 'Reiniciar' })).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Mensagem 1'), ' Até logo.');
  await press('Salvar');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(lastBody()).toMatchObject({ message1: 'Olá, {nome}! Até logo.' });
  expect(lastBody()).not.toHaveProperty('contactListId');
  expect(lastBody()).not.toHaveProperty('scheduledAt');
});

test('a start by hand tells first whom it reaches, until when and for how much', async () => {
  answers['/campaigns/7/start'] = () => Response.json(makeCampaign({ status: 'EM_ANDAMENTO' }));
  show(makeCampaign());
  await press('Iniciar agora');
  const asked = await screen.findByRole('dialog', { name: 'Iniciar Dia das Mães agora?' });
  await waitFor(() => expect(asked.textContent).toContain('1.200'));
  for (const words of [
    'Pediram para não receber3',
    'Ao menos R$\u00a0375,00',
    'Marketing, Brasil: 1.000 mensagensR$\u00a0375,00',
    'Marketing, Portugal: 200 mensagensSem preço cadastrado',
    'Outras campanhas do portfólioaté 150 pessoas',
    '200 pessoas recebem depois',
    'escrever primeiro para 1.000 pessoas em 24 horas',
    'Usado nas últimas 24 horas240 de 250 pessoas',
    'Divide o limite comVendas',
  ])
    expect(asked.textContent).toContain(words);
  expect(sent.some(({ path }) => path === '/campaigns/7/start')).toBe(false);
  const [, confirm] = screen.getAllByRole('button', { name: 'Iniciar agora', hidden: true });
  if (confirm) await userEvent.click(confirm);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent.some(({ path }) => path === '/campaigns/7/start')).toBe(true);
});

test('no text in the window is called free, and what has no price says so', async () => {
  const service = { category: 'SERVICE', country: 'BR', recipients: 2, price: null, amount: null };
  const cost = { currency: null, amount: null, lines: [service], isComplete: false };
  answers['/campaigns/7/estimate'] = () => Response.json({ ...ESTIMATE, cost });
  show(makeCampaign());
  await press('Iniciar agora');
  expect(await screen.findByText(/^Atendimento, .*: 2 mensagens$/)).toBeTruthy();
  expect(screen.getAllByText('Sem preço cadastrado')).toHaveLength(2);
  expect(screen.getByText(/também cobra as mensagens dentro das 24 horas/)).toBeTruthy();
  expect(screen.getByText(/a estimativa conta todas as mensagens/)).toBeTruthy();
});

test('an estimate says which part of its messages it counts as billed', async () => {
  const billedShares = [
    { category: 'MARKETING', share: '0.625' },
    { category: 'SERVICE', share: '0.1' },
  ];
  answers['/campaigns/7/estimate'] = () => Response.json({ ...ESTIMATE, billedShares });
  show(makeCampaign());
  await press('Iniciar agora');
  expect(await screen.findByText(/cobrada nos últimos 28 dias: Marketing 63%\.$/)).toBeTruthy();
});

test.each([
  ['without what Meta bills', '0', true, null],
  ['without the template', null, false, 'Não dá para prever'],
])('an estimate %s tells no price', async (_, amount, isComplete, words) => {
  const cost = { currency: null, amount, lines: [], isComplete };
  answers['/campaigns/7/estimate'] = () => Response.json({ ...ESTIMATE, cost });
  show(makeCampaign());
  await press('Iniciar agora');
  await screen.findByText('Término previsto');
  expect(screen.queryByText('Custo estimado')?.nextSibling?.textContent ?? null).toBe(words);
  expect(screen.queryByText(/também cobra/)).toBeNull();
});

const TEMPLATE = {
  id: '1',
  name: 'promocao',
  status: 'APPROVED',
  category: 'MARKETING',
  language: 'pt_BR',
  parameter_format: 'POSITIONAL',
  supported: true,
  canBeSent: true,
  needsNumber: false,
  quality: '',
  rejectedReason: '',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Chegou!' },
    { type: 'BODY', text: '{{1}}, avisamos em {{2}}?' },
    { type: 'FOOTER', text: 'Casa Aroeira' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Sim' }] },
  ],
};
const body = (...texts: string[]) => [
  { type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) },
];

test('a stored template is shown as its first recipient gets it, a changed one by example', async () => {
  answers['/whatsapp'] = () =>
    Response.json([{ id: 3, name: 'Loja Centro', provider: 'official', status: 'CONNECTED' }]);
  answers['/templates'] = () => Response.json({ templates: [TEMPLATE] });
  answers['/campaigns/7/preview'] = () =>
    Response.json({
      name: 'Bia Castro',
      messages: [],
      confirmations: [],
      templateComponents: body('Bia Castro', '5511987650003 bia@example.com'),
    });
  show(
    makeCampaign({
      message1: '',
      templateName: 'promocao',
      templateLanguage: 'pt_BR',
      templateComponents: body('{nome}', '{numero} {email}'),
    }),
  );
  const preview = await screen.findByRole('region', { name: 'Como chega' });
  const tells = (text: string) => waitFor(() => expect(preview.textContent).toContain(text));
  await tells('Chegou!Bia Castro, avisamos em 5511987650003 bia@example.com?Casa AroeiraSim');
  await userEvent.type(screen.getByLabelText('Texto: variável 1'), '!');
  const limit = screen.getByRole('region', { name: 'O número na Meta' });
  expect(limit.textContent).toContain('EmpresaNão verificada pela Meta');
  await tells('Chegou!Mariana Albuquerque!, avisamos em 5511984321107 mariana@example.com?');
});

test('a missing day is not asked for any more once the time is emptied too', async () => {
  show();
  await userEvent.type(await screen.findByLabelText(/^Nome/), 'Dia das Mães');
  await userEvent.type(screen.getByLabelText('Hora'), '10:30');
  await press('Salvar');
  await screen.findByText('Informe a data também.');
  await userEvent.clear(screen.getByLabelText('Hora'));
  await userEvent.tab();
  await waitFor(() => expect(screen.queryByText('Informe a data também.')).toBeNull());
  await userEvent.type(screen.getByLabelText('Data'), '10/11/2099');
  await press('Salvar');
  await screen.findByText('Informe a hora também.');
  await userEvent.clear(screen.getByLabelText('Data'));
  await userEvent.tab();
  await waitFor(() => expect(screen.queryByText('Informe a hora também.')).toBeNull());
});
