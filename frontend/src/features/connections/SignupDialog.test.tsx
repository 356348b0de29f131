import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { SignupDialog } from './SignupDialog';
import { readMessage, WindowEnded } from './signupWindow';
import type { SignupOffer } from './types';

const FACEBOOK = 'https://www.facebook.com';
const OFFER: SignupOffer = {
  isOffered: true,
  appId: '670',
  configId: '1284',
  version: 'v26.0',
  sdkUrl: 'https://connect.facebook.net/en_US/sdk.js',
  origins: [FACEBOOK],
};
const IDS = { phone_number_id: '100000000000777', waba_id: '200000000000777' };

type Answer = (answer: { authResponse: { code: string } | null }) => void;

const login = vi.fn<(answer: Answer, options: Record<string, unknown>) => void>();
const onClose = vi.fn();
let sent: Record<string, unknown>[];
let answers: Response[];

const json = (body: unknown, status = 201) => new Response(JSON.stringify(body), { status });
const done = (pin = '', status = 'CONNECTED') =>
  json({ connection: { id: 1, name: 'Loja Centro', status, queues: [] }, pin });
const refused = (body: Record<string, unknown>) =>
  json({ code: 'ERR_SIGNUP_FAILED', message: 'Não.', reasonDetail: '', ...body }, 424);

/** Posts a message of the window; the script's answer follows. */
function post(event: string, data: Record<string, unknown> = {}, origin = FACEBOOK) {
  const message = { type: 'WA_EMBEDDED_SIGNUP', event, data, version: '3' };
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { origin, data: JSON.stringify(message) }));
  });
}
function answer(code: string | null) {
  act(() => {
    login.mock.lastCall?.[0]({ authResponse: code === null ? null : { code } });
  });
}

const show = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <SignupDialog offer={OFFER} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
async function openDialog() {
  const shown = show();
  // The script is loaded once for all dialogs.
  act(() => window.fbAsyncInit?.());
  await screen.findByRole('button', { name: 'Abrir janela do Facebook', busy: false });
  return shown;
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  sent = [];
  answers = [];
  onClose.mockReset();
  login.mockReset();
  window.FB = { init: vi.fn(), login };
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (_input: string, init?: RequestInit & { body?: string }) => {
    sent.push(JSON.parse(init?.body ?? '{}') as Record<string, unknown>);
    return Promise.resolve(answers.shift() ?? done());
  });
});
afterEach(() => {
  delete window.FB;
});

// The first test, because the script is requested again only if it did not load.
test('a script that a blocker emptied is told of', async () => {
  delete window.FB;
  show();
  act(() => {
    document.head.querySelector(`script[src="${OFFER.sdkUrl}"]`)?.dispatchEvent(new Event('load'));
  });
  expect((await screen.findByRole('alert')).textContent).toMatch('Não foi possível carregar');
});

test('a dialog that was closed meanwhile connects nothing', async () => {
  const { unmount } = await openDialog();
  await press('Abrir janela do Facebook');
  unmount();
  post('FINISH', IDS);
  answer('AQD');
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(sent).toEqual([]);
});

test('it stays while the number is connected, and a step gone wrong in the window is no end', async () => {
  let give: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (give = resolve)));
  await openDialog();
  await press('Abrir janela do Facebook');
  post('ERROR', { error_message: 'Tente.' });
  post('FINISH', IDS);
  answer('AQD');
  await screen.findByText(/^Conectando o número/);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  give(done('048213'));
  await screen.findByText('048213');
});

/** The unfinished steps at which the dialog may be left. */
const UNFINISHED: Record<string, () => Promise<void>> = {
  'a PIN is typed': async () =>
    userEvent.type(screen.getByLabelText('PIN da confirmação em duas etapas'), '12'),
  'the way is chosen': async () =>
    userEvent.click(screen.getByRole('radio', { name: /^Aqui e no celular/ })),
  'the window is open': () => press('Abrir janela do Facebook'),
  'a step failed': async () => {
    answers = [refused({ step: 'registration', canRetry: true })];
    await press('Abrir janela do Facebook');
    post('FINISH', IDS);
    answer('AQD');
    await screen.findByRole('button', { name: 'Tentar de novo' });
  },
};

test.each(Object.keys(UNFINISHED))('when %s, Escape asks once', async (name) => {
  await openDialog();
  await UNFINISHED[name]?.();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Continuar editando' }));
  expect(onClose).not.toHaveBeenCalled();
  await press('Cancelar');
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test('where nothing was begun, Escape closes without asking', async () => {
  await openDialog();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('what the window gives, in either order, is posted once', async () => {
  const said = vi.spyOn(toast, 'success').mockImplementation(() => undefined);
  await openDialog();
  await press('Abrir janela do Facebook');
  expect(login.mock.lastCall?.[1]).toEqual({
    config_id: '1284',
    response_type: 'code',
    override_default_response_type: true,
    extras: { version: 'v4', sessionInfoVersion: '3' },
  });
  answer('AQD');
  post('FINISH', IDS);
  post('FINISH', IDS);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toEqual([{ code: 'AQD', ...IDS, coexistence: false, pin: '' }]);
  expect(said).toHaveBeenCalledWith('Loja Centro está conectada.');
});

test.each([
  ['OPENING', 'Loja Centro foi adicionada. A conexão ainda está sendo conferida.'],
  ['DISCONNECTED', 'Loja Centro foi adicionada, mas não está conectada. O motivo está na tabela.'],
])('a number that is %s is not called connected', async (status, words) => {
  answers = [done('123456', status)];
  await openDialog();
  await press('Abrir janela do Facebook');
  answer('AQD');
  post('FINISH', IDS);
  await screen.findByRole('dialog', { name: words });
});

test('a number that stays on its phone is asked for so, and comes without its id', async () => {
  await openDialog();
  await userEvent.click(screen.getByRole('radio', { name: /^Aqui e no celular/ }));
  expect(screen.queryByLabelText('PIN da confirmação em duas etapas')).toBeNull();
  await press('Abrir janela do Facebook');
  expect(login.mock.lastCall?.[1].extras).toMatchObject({
    featureType: 'whatsapp_business_app_onboarding',
  });
  post('FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING', { waba_id: IDS.waba_id });
  answer('AQD');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    { code: 'AQD', waba_id: IDS.waba_id, phone_number_id: '', coexistence: true, pin: '' },
  ]);
});

test.each([
  ['CANCEL', { current_step: 'PHONE_NUMBER_SETUP' }, /A janela foi fechada antes do fim/],
  ['CANCEL', { error_message: 'Número em uso.' }, 'A Meta interrompeu o cadastro: Número em uso.'],
  ['ERROR', {}, /A Meta interrompeu o cadastro\. Tente/],
  ['FINISH_ONLY_WABA', { waba_id: '2' }, /terminou sem um número/],
  ['FINISH', { waba_id: '2' }, /terminou sem um número/],
])('%s %o is told in words, and nothing is posted', async (event, data, words) => {
  await openDialog();
  await press('Abrir janela do Facebook');
  post(event, data);
  // The window is still open.
  expect(screen.queryByRole('alert')).toBeNull();
  answer(null);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
  await press('Abrir a janela de novo');
  expect(login).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sent).toEqual([]);
});

test('a closed window is a cancelled one', async () => {
  await openDialog();
  await press('Abrir janela do Facebook');
  answer(null);
  expect((await screen.findByRole('alert')).textContent).toMatch(
    'A janela foi fechada antes do fim',
  );
});

test('a window that the browser blocks is told so', async () => {
  login.mockImplementation(() => {
    window.open('https://www.facebook.com/');
  });
  vi.stubGlobal('open', () => null);
  await openDialog();
  await press('Abrir janela do Facebook');
  expect((await screen.findByRole('alert')).textContent).toMatch('O navegador bloqueou a janela');
});

test('a step that fails is named, and tried again with the same code', async () => {
  answers = [
    refused({ step: 'registration', canRetry: true, reasonCode: 'pin_wrong' }),
    done('048213'),
  ];
  await openDialog();
  await press('Abrir janela do Facebook');
  post('FINISH', IDS);
  answer('AQD');
  await screen.findByText(/^O PIN não é o da confirmação/);
  const steps = await screen.findAllByRole('listitem');
  expect(steps.map((step) => step.querySelector('[role=img]')?.getAttribute('aria-label'))).toEqual(
    ['Certo', 'Certo', 'Certo', 'Com problema'],
  );
  screen.getByRole('button', { name: 'Abrir a janela de novo' });
  const pin = screen.getByLabelText('PIN da confirmação em duas etapas');
  await userEvent.type(pin, '123');
  await press('Tentar de novo');
  expect(sent).toHaveLength(1);
  await userEvent.type(pin, '456');
  await press('Tentar de novo');
  await screen.findByText('048213');
  expect(sent[1]).toEqual({ code: 'AQD', ...IDS, coexistence: false, pin: '123456' });
  expect(login).toHaveBeenCalledOnce();
  await press('Já guardei');
  expect(onClose).toHaveBeenCalledOnce();
});

test('what is over with its code is begun anew', async () => {
  answers = [refused({ step: 'code', canRetry: false, reasonCode: 'signup_code' })];
  await openDialog();
  await press('Abrir janela do Facebook');
  post('FINISH', IDS);
  answer('AQD');
  await userEvent.click(await screen.findByRole('button', { name: 'Abrir a janela de novo' }));
  expect(login).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull();
});

test('messages from elsewhere, and others of the window, are none', () => {
  const finished = { type: 'WA_EMBEDDED_SIGNUP', event: 'FINISH', data: IDS };
  const read = (origin: string, data: unknown) => readMessage({ origin, data }, [FACEBOOK]);
  expect(read('https://www.facebook.com.example', finished)).toBeNull();
  expect(read('null', finished)).toBeNull();
  expect(read(FACEBOOK, 'cb=1&code=2')).toBeNull();
  expect(read(FACEBOOK, null)).toBeNull();
  expect(read(FACEBOOK, { ...finished, event: 'STEP' })).toBeNull();
  expect(read(FACEBOOK, finished)).toEqual({
    phoneNumberId: IDS.phone_number_id,
    wabaId: IDS.waba_id,
    coexistence: false,
  });
  expect(read(FACEBOOK, { ...finished, event: 'CANCEL' })).toBeInstanceOf(WindowEnded);
});
