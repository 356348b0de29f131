import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { formOf } from './form';
import type { ConnectionForm } from './schemas';
import { SetupSection } from './SetupSection';
import type { Connection, SetupCheck, SetupInput, SetupStep } from './types';

type Outcome = Partial<SetupCheck>;

let asked: SetupInput[];
let outcomes: Partial<Record<SetupStep, Outcome>>;
/** While set, answers wait for this promise. */
let gate: Promise<void> | null;

async function serve(init?: RequestInit & { body?: string }): Promise<Response> {
  const input = JSON.parse(init?.body ?? '{}') as SetupInput;
  asked.push(input);
  await gate;
  const empty = { state: 'done', problem: '', detail: '', number: '', name: '' };
  return new Response(JSON.stringify({ ...empty, step: input.step, ...outcomes[input.step] }));
}

const STORED = { id: 5 } as Connection;

function Page({ connection }: { connection?: Connection }) {
  const form = useForm<ConnectionForm>({
    defaultValues: {
      ...formOf(undefined, false),
      phone_number_id: '100000000000009',
      waba_id: '200000000000009',
    },
  });
  return (
    <ChakraProvider value={system}>
      <input aria-label="Token" {...form.register('accessToken')} />
      <SetupSection form={form} connection={connection} />
    </ChakraProvider>
  );
}

const start = () => userEvent.click(screen.getByRole('button', { name: 'Testar conexão' }));
const item = (text: string) => within(screen.getByText(text).closest('li') ?? document.body);
const steps = () => asked.map(({ step }) => step);
const ENDED = 'Teste concluído.';

beforeEach(() => {
  asked = [];
  outcomes = {};
  gate = null;
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_: string, init?: RequestInit & { body?: string }) => serve(init));
});
afterEach(() => vi.useRealTimers());

test('each step has its tick as its answer comes', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  outcomes.number = { number: '+55 11 98888-7777', name: 'Loja Centro' };
  render(<Page connection={STORED} />);
  await start();
  await screen.findByText('Token de acesso aceito');
  item('Token de acesso aceito').getByRole('img', { name: 'Conferindo' });
  item('Número encontrado').getByRole('img', { name: 'Ainda não conferido' });
  expect(steps()).toEqual(['token']);
  open();
  await screen.findByText(ENDED);
  expect(steps()).toEqual(['token', 'number', 'account', 'subscription', 'webhook', 'event']);
  expect(screen.getAllByRole('img', { name: 'Certo' })).toHaveLength(6);
  item('Número encontrado').getByText('+55 11 98888-7777 · Loja Centro');
  expect(asked[0]).toEqual({
    id: 5,
    phone_number_id: '100000000000009',
    waba_id: '200000000000009',
    accessToken: '',
    step: 'token',
    subscribes: false,
  });
});

test('a refused token ends the test and says what to do', async () => {
  outcomes.token = { state: 'failed', problem: 'token_refused' };
  render(<Page />);
  await start();
  await screen.findByText(ENDED);
  expect(steps()).toEqual(['token']);
  item('Token de acesso aceito').getByText(/Gere outro e cole-o inteiro acima/);
  item('Número encontrado').getByRole('img', { name: 'Ainda não conferido' });
});

test('another failure leaves the rest to be looked at', async () => {
  outcomes.account = { state: 'failed', problem: 'number_elsewhere' };
  render(<Page />);
  await start();
  await screen.findByText(ENDED);
  expect(steps()).toHaveLength(6);
  item('Número nesta conta do WhatsApp Business').getByText(/Copie os dois IDs/);
});

test('an app that hears of nothing is subscribed from its step', async () => {
  outcomes.subscription = { state: 'failed', problem: 'not_subscribed' };
  render(<Page />);
  await start();
  await screen.findByText(ENDED);
  outcomes = {};
  asked = [];
  await userEvent.click(screen.getByRole('button', { name: 'Inscrever o app' }));
  await waitFor(() => expect(screen.getAllByRole('img', { name: 'Certo' })).toHaveLength(6));
  expect(asked.find(({ step }) => step === 'subscription')?.subscribes).toBe(true);
});

test('what is typed anew takes the ticks away', async () => {
  render(<Page />);
  await start();
  await screen.findByText(ENDED);
  await userEvent.type(screen.getByLabelText('Token'), 'x');
  expect(screen.queryByText('Número encontrado')).toBeNull();
});

test('the first message ticks itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] });
  outcomes.event = { state: 'waiting', problem: 'no_event' };
  render(<Page connection={STORED} />);
  await start();
  await screen.findByText(ENDED);
  item('Primeira mensagem recebida').getByRole('img', { name: 'Aguardando' });
  outcomes = {};
  vi.advanceTimersByTime(4000);
  await waitFor(() => item('Primeira mensagem recebida').getByRole('img', { name: 'Certo' }));
});
