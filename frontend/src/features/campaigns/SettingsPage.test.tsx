import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { isLostBy } from '@/lib/unsaved';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { SettingsPage } from './SettingsPage';

vi.mock('@/lib/socket', () => ({ useCompanyEvent: () => undefined }));

let stored: Record<string, string>;
let sent: string[];
let refusal: (() => Response) | null;

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname } = new URL(input, 'http://balcao.test');
  if (pathname.endsWith('/campaign-settings')) return Promise.resolve(Response.json([]));
  if (init?.method !== 'PUT')
    return Promise.resolve(
      Response.json(Object.entries(stored).map(([key, value]) => ({ key, value }))),
    );
  const { key, value } = JSON.parse(init.body ?? '') as { key: string; value: string };
  expect(pathname).toBe(`/api/settings/${key}`);
  sent.push(`${key}=${value}`);
  if (refusal) return Promise.resolve(refusal());
  stored[key] = value;
  return Promise.resolve(Response.json({ key, value }));
}

beforeEach(() => {
  stored = { optOutWords: 'SAIR, PARAR, STOP', campaignSendingHours: '' };
  sent = [];
  refusal = null;
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', vi.fn(serve));
});

async function open() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <SettingsPage />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const rules = await screen.findByRole('region', { name: 'Horário e pedidos de saída' });
  const words = within(rules).getByLabelText<HTMLInputElement>('Palavras de saída');
  await waitFor(() => expect(words.value).toBe(stored.optOutWords));
  return {
    words,
    hours: within(rules).getByRole<HTMLInputElement>('checkbox', {
      name: 'Enviar só dentro de um horário',
    }),
    time: (name: string) => within(rules).getByLabelText<HTMLInputElement>(name),
    save: within(rules).getByRole<HTMLButtonElement>('button', { name: 'Salvar' }),
    rules: within(rules),
  };
}

async function write(field: HTMLElement, text: string) {
  await userEvent.clear(field);
  await userEvent.type(field, text);
}

test('hours are off at first; switched on, 8 to 20 is suggested, and saved', async () => {
  const { hours, time, save, rules } = await open();
  expect(hours.checked).toBe(false);
  expect(rules.queryByLabelText('Início')).toBeNull();
  expect(save.disabled).toBe(true);
  await userEvent.click(hours);
  expect([time('Início').value, time('Fim').value]).toEqual(['08:00', '20:00']);
  expect(isLostBy('PUSH', true)).toBe(true);
  await write(time('Fim'), '1830');
  await userEvent.click(save);
  await waitFor(() => expect(sent).toEqual(['campaignSendingHours=08:00-18:30']));
  await waitFor(() => expect(save.disabled).toBe(true));
  expect(time('Fim').value).toBe('18:30');
  expect(isLostBy('PUSH', true)).toBe(false);
});

test('hours that are switched off are any hour again', async () => {
  stored.campaignSendingHours = '09:00-17:00';
  const { hours, time, save } = await open();
  expect([time('Início').value, time('Fim').value]).toEqual(['09:00', '17:00']);
  await userEvent.click(hours);
  await userEvent.click(save);
  await waitFor(() => expect(sent).toEqual(['campaignSendingHours=']));
});

test.each([
  ['an end before the beginning', '7', 'O fim precisa vir depois do início.'],
  ['an end that is no time', 'noite', 'Informe um horário como 08:00.'],
])('%s is said at its field and not sent', async (_, end, words) => {
  const { hours, time, save, rules } = await open();
  await userEvent.click(hours);
  await write(time('Fim'), end);
  await userEvent.click(save);
  expect((await rules.findByRole('alert')).textContent).toBe(words);
  expect(time('Fim').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(time('Fim'));
  expect(sent).toEqual([]);
});

test('words are kept as the server takes them, the default told beside them', async () => {
  const { words, save, rules } = await open();
  expect(rules.getByText(/Padrão: SAIR, PARAR, STOP\./)).toBeDefined();
  await write(words, ' SAIR ,,CHEGA');
  await userEvent.click(save);
  await waitFor(() => expect(sent).toEqual(['optOutWords=SAIR, CHEGA']));
  await waitFor(() => expect(words.value).toBe('SAIR, CHEGA'));
});

test('without words it is said what that means', async () => {
  const { words, save, rules } = await open();
  await userEvent.clear(words);
  expect(rules.getByText(/Sem palavras, ninguém consegue sair respondendo\./)).toBeDefined();
  await userEvent.click(save);
  await waitFor(() => expect(sent).toEqual(['optOutWords=']));
});

test('words that are too many are not sent', async () => {
  const { words, save, rules } = await open();
  await userEvent.clear(words);
  await userEvent.paste('a,'.repeat(51));
  await userEvent.click(save);
  expect((await rules.findByRole('alert')).textContent).toMatch(/^Informe até 50 palavras/);
  expect(sent).toEqual([]);
});

test('what the server refuses is said, and what was typed stays', async () => {
  const { words, save, rules } = await open();
  refusal = () =>
    Response.json(
      {
        code: 'ERR_VALIDATION',
        message: 'x',
        fields: { value: ['Esta palavra não serve.'] },
      },
      { status: 400 },
    );
  await write(words, 'CHEGA');
  await userEvent.click(save);
  expect((await rules.findByRole('alert')).textContent).toBe('Esta palavra não serve.');
  expect(words.value).toBe('CHEGA');
  expect(isLostBy('PUSH', true)).toBe(true);
});

test('without the plan they are shown and not changed', async () => {
  const user = makeUser();
  const plan = { ...user.company.plan, useCampaigns: false };
  openSession({ token: 'abc', user: makeUser({ company: { ...user.company, plan } }) });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <SettingsPage />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const words = await screen.findByLabelText<HTMLInputElement>('Palavras de saída');
  expect(words.disabled).toBe(true);
  expect(
    screen.getByRole<HTMLInputElement>('checkbox', { name: 'Enviar só dentro de um horário' })
      .disabled,
  ).toBe(true);
  expect(screen.queryByRole('button', { name: 'Salvar' })).toBeNull();
});

test('three intervals are chosen among the specified ones, 20, 20 and 60 at first', async () => {
  await open();
  const shown = [
    'Intervalo aleatório entre mensagens',
    'Intervalo maior após',
    'Intervalo maior',
  ].map((label) => screen.getByLabelText<HTMLSelectElement>(label));
  const longer = [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120];
  expect(
    shown.map(({ value, options }) => [value, [...options].map((each) => Number(each.value))]),
  ).toEqual([
    ['20', [0, 5, 10, 15, 20]],
    ['20', longer],
    ['60', longer],
  ]);
});
