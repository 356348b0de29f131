import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { isLostBy } from '@/lib/unsaved';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { SettingsPage } from './SettingsPage';

const DEFAULTS: Record<string, string> = {
  userRating: 'disabled',
  sendGreetingAccepted: 'disabled',
  sendMsgTransfTicket: 'disabled',
  allowToSpyMessage: 'disabled',
  closePending: 'disabled',
  alertReceivingAudio: 'disabled',
  call: 'enabled',
  CheckMsgIsGroup: 'enabled',
  importHistory: 'disabled',
  scheduleType: 'disabled',
  chatBotType: 'text',
  asaas: '',
  timeZone: 'America/Sao_Paulo',
  country: 'BR',
  reopenWindowMinutes: '120',
  ratingEveryDays: '0',
  ratingTemplate: '',
  waitingListOrder: 'longest_waiting',
  assignment: 'disabled',
  sla: 'disabled',
  nationalHolidays: '',
  ownHolidays: '',
  closingReasons: '',
  closingFields: '',
};

let stored: Record<string, string>;
let sent: string[];
let refusal: Response | null;
/** If not null, the server answers a change only once this is called. */
let release: (() => void) | null;

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

async function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname } = new URL(input, 'http://balcao.test');
  if (init?.method !== 'PUT')
    return json(Object.entries(stored).map(([key, value]) => ({ key, value })));
  const key = pathname.split('/').at(-1) ?? '';
  const { value } = JSON.parse(init.body ?? '') as { value: string };
  sent.push(`${key}=${value}`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (release) await new Promise<void>((resolve) => (release = resolve));
  if (refusal) return refusal;
  stored[key] = value;
  return json({ key, value: key === 'asaas' ? '••••••••' : value });
}

const SUPER_TABS = [{ value: 'plans', Panel: () => <p>Painel dos planos</p> }];

function open(address = '/settings') {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[address]}>
          <SettingsPage superTabs={SUPER_TABS} />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

beforeEach(() => {
  stored = { ...DEFAULTS };
  sent = [];
  refusal = null;
  release = null;
  queryClient.clear();
  vi.stubGlobal('fetch', vi.fn(serve));
  openSession({ token: 'abc', user: makeUser() });
});

test('a switch saves at once and says so', async () => {
  release = () => undefined;
  open();
  const box = await screen.findByRole<HTMLInputElement>('checkbox', {
    name: 'Avaliação do atendimento',
  });
  expect(box.checked).toBe(false);
  await userEvent.click(box);
  expect(await screen.findByText('Salvando…')).toBeTruthy();
  expect(box.checked).toBe(true);
  release();
  expect(await screen.findByText('Salvo')).toBeTruthy();
  expect(sent).toEqual(['userRating=enabled']);
  expect(box.checked).toBe(true);
});

test('what could not be saved goes back and says why', async () => {
  refusal = json({ code: 'ERR_NO_PERMISSION', message: 'Não pode.' }, 403);
  open();
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Aceitar chamadas' });
  await userEvent.click(box);
  expect((await screen.findByRole('alert')).textContent).toContain('Não foi salvo');
  await waitFor(() => expect(box.checked).toBe(true));
});

test("the bot's menu is chosen among its three forms", async () => {
  open();
  const group = await screen.findByRole('radiogroup', { name: 'Menu do bot' });
  expect(within(group).getByRole<HTMLInputElement>('radio', { name: /Texto/ }).checked).toBe(true);
  await userEvent.click(within(group).getByRole('radio', { name: /Lista/ }));
  await waitFor(() => expect(sent).toEqual(['chatBotType=list']));
});

test('the hours of the company have a tab only while they count', async () => {
  open();
  const group = await screen.findByRole('radiogroup', { name: 'Horário de atendimento' });
  expect(screen.queryByRole('tab', { name: 'Horários' })).toBeNull();
  await userEvent.click(within(group).getByRole('radio', { name: /Da empresa/ }));
  expect(await screen.findByRole('tab', { name: 'Horários' })).toBeTruthy();
});

test('a window that is not among the offered ones is shown all the same', async () => {
  stored.reopenWindowMinutes = '45';
  open();
  const select = await screen.findByRole<HTMLSelectElement>('combobox', {
    name: 'Reabrir a conversa anterior',
  });
  expect(select.selectedOptions[0]?.textContent).toBe('45 minutos');
});

test('the token is written and never shown', async () => {
  open();
  const field = await screen.findByLabelText<HTMLInputElement>('Token do Asaas');
  await userEvent.type(field, ' segredo {Enter}');
  await screen.findByRole('button', { name: 'Remover' });
  expect(sent).toEqual(['asaas=segredo']);
  await waitFor(() => expect(field.value).toBe(''));
  await waitFor(() => expect(isLostBy('PUSH', true)).toBe(false));
});

test('a token that was not saved stays, and is asked about before it is lost', async () => {
  refusal = json({ code: 'ERR_VALIDATION', message: 'Não serve.' }, 400);
  open();
  const field = await screen.findByLabelText<HTMLInputElement>('Token do Asaas');
  await userEvent.type(field, 'segredo');
  expect(isLostBy('PUSH', true)).toBe(true);
  await userEvent.keyboard('{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain('Não foi salvo');
  expect(field.value).toBe('segredo');
  expect(isLostBy('PUSH', true)).toBe(true);
});

test('without the list there is a way to try again', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(json({ code: 'ERR_X', message: 'Caiu.' }, 400)));
  open();
  expect(await screen.findByText('Não foi possível carregar as configurações')).toBeTruthy();
  vi.stubGlobal('fetch', vi.fn(serve));
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('Espiar conversas')).toBeTruthy();
});

test('the tabs of the service are for the super user alone, and stand in the address', async () => {
  openSession({ token: 'abc', user: makeUser({ super: true }) });
  open('/settings?tab=plans');
  await screen.findByText('Painel dos planos');
  await userEvent.click(screen.getByRole('tab', { name: 'Opções' }));
  await waitFor(() => expect(screen.queryByText('Painel dos planos')).toBeNull());
  await userEvent.click(screen.getByRole('tab', { name: 'Planos' }));
  await screen.findByText('Painel dos planos');
});

test('whoever is not the super user is shown the options at such an address', async () => {
  open('/settings?tab=plans');
  await screen.findByRole('checkbox', { name: 'Avaliação do atendimento' });
  expect(screen.queryByRole('tab', { name: 'Planos' })).toBeNull();
});
