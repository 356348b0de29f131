import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ConnectionDialog } from './ConnectionDialog';
import { makeConnection } from './testData';
import type { Connection } from './types';

const SALES = { id: 1, name: 'Vendas', color: '#3E7BD6' };
const SUPPORT = { id: 2, name: 'Suporte', color: '#E0763A' };
const STORED = makeConnection({ queues: [SALES] });

interface Sent {
  method: string;
  path: string;
  body: Record<string, unknown>;
}
let sent: Sent[];
let refusal: Response | null;
let queues: object[];
let created: Connection;
/** The current state of the number. */
let today: Connection;
let webhook: { address: string; verifyToken: string };

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

function serve(input: string, init?: RequestInit & { body?: string }): Response {
  const { pathname } = new URL(input, 'http://balcao.test');
  const method = init?.method ?? 'GET';
  if (pathname.endsWith('/queue')) return json(queues);
  if (pathname.includes('/queueIntegration'))
    return json({ queueIntegrations: [{ id: 7, name: 'Typebot' }], hasMore: false });
  if (pathname.includes('/prompt'))
    return json({ prompts: [{ id: 9, name: 'Atendente' }], hasMore: false });
  if (pathname.endsWith('/whatsapp/webhook')) return json(webhook);
  if (pathname.endsWith(`/whatsapp/${STORED.id}`) && method === 'GET') return json(today);
  if (method === 'GET') return json([STORED]);
  sent.push({
    method,
    path: pathname,
    body: JSON.parse(init?.body ?? '{}') as Record<string, unknown>,
  });
  if (refusal) return refusal;
  if (pathname.endsWith('/token')) return json({ token: 'segredo-do-token' }, 201);
  return json(method === 'POST' ? created : STORED);
}

const onClose = vi.fn();
const onSession = vi.fn();

function open(connection?: Connection, isFirst = false) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ConnectionDialog
          {...(connection && { connection })}
          isFirst={isFirst}
          {...{ onClose, onSession }}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

/** Opens the dialog for a new official connection. */
async function openOfficial() {
  open();
  await userEvent.click(screen.getByRole('radio', { name: /^API oficial/ }));
}

const tab = (name: string | RegExp) => screen.getByRole('tab', { name });
const goTo = (name: string | RegExp) => userEvent.click(tab(name));
const save = () => userEvent.click(screen.getByRole('button', { name: 'Salvar' }));
async function write(label: string | RegExp, text: string) {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.paste(text);
}

beforeEach(() => {
  sent = [];
  refusal = null;
  queues = [SALES, SUPPORT];
  created = STORED;
  today = STORED;
  webhook = { address: 'https://loja.test/webhooks/whatsapp', verifyToken: 'segredo-da-meta' };
  onClose.mockReset();
  onSession.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (input: string, init?: RequestInit & { body?: string }) =>
    Promise.resolve(serve(input, init)),
  );
});

test('each id says where it is found', async () => {
  await openOfficial();
  const help = (label: string) => {
    const ids = screen.getByLabelText(label).getAttribute('aria-describedby') ?? '';
    return ids
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ');
  };
  expect(help('ID do número de telefone')).toContain('WhatsApp › Configuração da API');
  expect(help('ID da conta do WhatsApp Business')).toContain('Na mesma página');
  expect(help('Token de acesso')).toContain('Usuários do sistema › Gerar token');
  const page = screen.getByRole('link', { name: /developers\.facebook\.com\/apps/ });
  expect(page.getAttribute('href')).toBe('https://developers.facebook.com/apps/');
});

test.each([
  ['Copiar endereço', 'https://loja.test/webhooks/whatsapp'],
  ['Copiar token de verificação', 'segredo-da-meta'],
])('the webhook is copied from the form: %s', async (label, text) => {
  const user = userEvent.setup();
  await openOfficial();
  await screen.findByText(text);
  await user.click(screen.getByRole('button', { name: label }));
  await screen.findByRole('button', { name: 'Copiado' });
  expect(await navigator.clipboard.readText()).toBe(text);
});

test('a server without a verify token says whom to ask', async () => {
  webhook.verifyToken = '';
  await openOfficial();
  await screen.findByText(/Peça a quem opera o serviço que informe META_VERIFY_TOKEN/);
  expect(screen.queryByRole('button', { name: 'Copiar token de verificação' })).toBeNull();
  screen.getByRole('button', { name: 'Copiar endereço' });
});

test('every field of every tab is sent', async () => {
  open(STORED);
  await goTo('Mensagens');
  await write('Mensagem de avaliação', 'Que nota?');
  await write('Mensagem fora do expediente', 'Fechado');
  await goTo('Bot');
  await write('Menus sem resposta válida', '2');
  await write('Intervalo entre menus', '15');
  await write('Palavra-chave', 'atendente');
  await write('Espera antes de responder', '0');
  await write('Silêncio da integração', '5');
  await write('Silêncio no menu', '25');
  const joins = screen.getByRole('checkbox', {
    name: 'Juntar os textos do bot numa só mensagem',
    description: /economiza/,
    checked: false,
  });
  await userEvent.click(joins);
  await write('Mensagem ao passar para a equipe', 'Já chamo alguém.');
  await userEvent.selectOptions(await screen.findByLabelText('Leva para a fila'), 'Suporte');
  await goTo('Prazos');
  await write('Transferir após', '5');
  await userEvent.selectOptions(await screen.findByLabelText('Para a fila'), 'Vendas');
  await write('Encerrar após', '30');
  await write('Mensagem de inatividade', 'Encerrado');
  await save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    path: '/api/whatsapp/5',
    body: {
      greetingMessage: 'Olá!',
      complationMessage: 'Até logo',
      ratingMessage: 'Que nota?',
      outOfHoursMessage: 'Fechado',
      maxUseBotQueues: 2,
      timeUseBotQueues: 15,
      textToTransfer: 'atendente',
      botQuietSeconds: 0,
      joinBotTexts: true,
      integrationSilenceMinutes: 5,
      menuSilenceMinutes: 25,
      fallbackMessage: 'Já chamo alguém.',
      textToTransferQueueId: 2,
      timeToTransfer: 5,
      transferQueueId: 1,
      expiresTicket: 30,
      expiresInactiveMessage: 'Encerrado',
      integrationId: null,
      promptId: null,
    },
  });
});

test('an official number has its messages per second, and no warm-up', async () => {
  open(STORED);
  await goTo('Ritmo');
  expect(screen.queryByLabelText('Pausa mínima')).toBeNull();
  expect(screen.queryByLabelText('No primeiro dia')).toBeNull();
  await write('Mensagens por segundo', '1001');
  await save();
  await screen.findByText('Informe até 1000 mensagens por segundo.');
  await write('Mensagens por segundo', '20');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ sendsPerSecond: 20 });
  expect(sent[0]?.body).not.toHaveProperty('sendPauseSeconds');
  expect(sent[0]?.body).not.toHaveProperty('warmupContacts');
});

test('a session by QR code has its pause and its warm-up', async () => {
  const known = {
    ...STORED,
    provider: 'beta',
    newContactsToday: 12,
    newContactsCeiling: 30,
  } as const;
  today = { ...known, newContactsToday: 13 };
  open(known);
  await goTo('Ritmo');
  // The page's list was fetched before the latest messages were sent.
  await screen.findByText('Hoje: 13 de 30 conversas novas.');
  expect(screen.queryByLabelText('Mensagens por segundo')).toBeNull();
  await write('Pausa mínima', '3');
  await write('Variação', '');
  await write('No primeiro dia', '50');
  await write('A mais a cada dia', '10');
  await write('Duração', '0');
  await save();
  await screen.findByText('Informe de 1 a 90 dias.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Duração')));
  await write('Duração', '21');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({
    sendPauseSeconds: 3,
    sendJitterSeconds: 0,
    warmupContacts: 50,
    warmupGrowth: 10,
    warmupDays: 21,
  });
  expect(sent[0]?.body).not.toHaveProperty('sendsPerSecond');
});

test('nothing is told of a day on which nothing was counted', async () => {
  open({ ...STORED, provider: 'beta' });
  await goTo('Ritmo');
  expect(screen.queryByText(/^Hoje:/)).toBeNull();
});

test('a second queue asks for a greeting, in its tab', async () => {
  open({ ...STORED, greetingMessage: '' });
  await userEvent.click(await screen.findByLabelText('Suporte'));
  await save();
  await screen.findByText('A mensagem de saudação é obrigatória quando há mais de uma fila.');
  expect(tab(/Mensagens/).getAttribute('aria-selected')).toBe('true');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByLabelText('Mensagem de saudação')),
  );
  expect(sent).toHaveLength(0);
});

test.each([
  ['Bot', 'Palavra-chave', 'oi', 'Escolha a fila desta palavra-chave.'],
  ['Bot', 'Espera antes de responder', '31', 'Informe até 30 segundos.'],
  ['Bot', 'Silêncio da integração', '0', 'Informe de 1 a 1440 minutos (um dia).'],
  ['Prazos', 'Transferir após', '5', 'Escolha para qual fila transferir.'],
  ['Prazos', 'Encerrar após', 'dez', 'Informe um número inteiro.'],
  ['Prazos', 'Encerrar após', '600000', 'Informe até 525600 minutos (um ano).'],
])('%s: %s “%s” alone is refused', async (place, label, typed, words) => {
  open(STORED);
  await goTo(place);
  await write(label, typed);
  await goTo('Conexão');
  await save();
  await screen.findByText(words);
  expect(tab(new RegExp(place)).getAttribute('aria-selected')).toBe('true');
  expect(within(tab(new RegExp(place))).getByLabelText('Há algo a corrigir aqui')).toBeTruthy();
  expect(sent).toHaveLength(0);
});

test('a refusal of the server leads to the tab of its field', async () => {
  refusal = json(
    { code: 'ERR_VALIDATION', message: 'x', fields: { transferQueueId: ['Fila não existe.'] } },
    400,
  );
  open(STORED);
  await save();
  await screen.findByText('Fila não existe.');
  expect(tab(/Prazos/).getAttribute('aria-selected')).toBe('true');
  expect(onClose).not.toHaveBeenCalled();
});

test('a refusal of the completion message is shown at its field', async () => {
  refusal = json(
    { code: 'ERR_VALIDATION', message: 'x', fields: { complationMessage: ['Longa demais.'] } },
    400,
  );
  open(STORED);
  await save();
  await screen.findByText('Longa demais.');
  expect(tab(/Mensagens/).getAttribute('aria-selected')).toBe('true');
});

test('a queue for whom the bot led nowhere needs no time', async () => {
  open(STORED);
  await goTo('Prazos');
  await userEvent.selectOptions(await screen.findByLabelText('Para a fila'), 'Vendas');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ timeToTransfer: 0, transferQueueId: 1 });
});

test('integration and prompt leave each other', async () => {
  open({ ...STORED, integrationId: 7 });
  await goTo('Bot');
  await screen.findByRole('option', { name: 'Atendente' });
  await userEvent.selectOptions(screen.getByLabelText('Prompt'), 'Atendente');
  expect(screen.getByLabelText<HTMLSelectElement>('Integração').value).toBe('');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ integrationId: null, promptId: 9 });
});

test('what the plan does not hold is neither shown nor changed', async () => {
  const user = makeUser();
  Object.assign(user.company.plan, {
    useIntegrations: false,
    useOpenAi: false,
    useExternalApi: false,
  });
  openSession({ token: 'abc', user });
  open({ ...STORED, integrationId: 7 });
  expect(screen.queryByRole('tab', { name: 'API' })).toBeNull();
  await goTo('Bot');
  expect(screen.queryByLabelText('Integração')).toBeNull();
  expect(screen.queryByLabelText('Prompt')).toBeNull();
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).not.toHaveProperty('integrationId');
  expect(sent[0]?.body).not.toHaveProperty('promptId');
});

test('a variable goes where the caret stands', async () => {
  open(STORED);
  await goTo('Mensagens');
  const greeting = screen.getByLabelText<HTMLTextAreaElement>('Mensagem de saudação');
  greeting.focus();
  greeting.setSelectionRange(3, 3);
  const [first] = screen.getAllByRole('button', { name: 'Primeiro nome' });
  await userEvent.click(first ?? greeting);
  expect(greeting.value).toBe('Olá{{firstName}}!');
});

test('a token is shown once and can be taken back', async () => {
  open(STORED);
  await goTo('API');
  screen.getByText('Nenhum token');
  await userEvent.click(screen.getByRole('button', { name: 'Criar token' }));
  await screen.findByText('segredo-do-token');
  screen.getByText('Token ativo');
  await goTo('Bot');
  await goTo('API');
  screen.getByText('segredo-do-token');
  await userEvent.click(screen.getByRole('button', { name: 'Revogar' }));
  const question = await screen.findByRole('alertdialog');
  within(question).getByText('Revogar o token de Loja?');
  await userEvent.click(within(question).getByRole('button', { name: 'Revogar' }));
  await screen.findByText('Nenhum token');
  expect(screen.queryByText('segredo-do-token')).toBeNull();
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/whatsapp/5/token',
    'DELETE /api/whatsapp/5/token',
  ]);
});

test('a session by QR code needs no ids of Meta, and its code is shown next', async () => {
  created = { ...STORED, provider: 'beta', status: 'OPENING' };
  open();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^QR Code/ }).checked).toBe(true);
  expect(screen.queryByLabelText('ID do número de telefone')).toBeNull();
  await write('Nome', 'Balcão da loja');
  await userEvent.click(screen.getByRole('button', { name: 'Adicionar' }));
  await waitFor(() => expect(onSession).toHaveBeenCalledWith(created));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({ name: 'Balcão da loja', provider: 'beta' });
  expect(sent[0]?.body).not.toHaveProperty('phone_number_id');
  expect(sent[0]?.body).not.toHaveProperty('accessToken');
});

test('a connection keeps its kind', () => {
  open(STORED);
  expect(screen.queryByRole('radiogroup')).toBeNull();
});

test('a new connection has the defaults and no token yet', async () => {
  await openOfficial();
  expect(screen.queryByRole('tab', { name: 'API' })).toBeNull();
  await goTo('Bot');
  expect(screen.getByLabelText<HTMLInputElement>('Menus sem resposta válida').value).toBe('3');
  expect(screen.getByLabelText<HTMLInputElement>('Intervalo entre menus').value).toBe('0');
  await userEvent.click(screen.getByRole('button', { name: 'Adicionar' }));
  await screen.findAllByText('Campo obrigatório!');
  expect(tab(/Conexão/).getAttribute('aria-selected')).toBe('true');
});

test('the first number is offered the only queue', async () => {
  queues = [SALES];
  open(undefined, true);
  await screen.findByText('Vendas');
  await write('Nome', 'Loja');
  await userEvent.click(screen.getByRole('button', { name: 'Adicionar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ name: 'Loja', queueIds: [SALES.id] });
});

test('the first number among several queues leaves the choice to the admin', async () => {
  open(undefined, true);
  await write('Nome', 'Loja');
  await userEvent.click(screen.getByRole('button', { name: 'Adicionar' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).not.toHaveProperty('queueIds');
});
