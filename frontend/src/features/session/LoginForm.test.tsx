import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toaster } from '@/lib/toast';
import { closeSession, useSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { LoginForm } from './LoginForm';

const calls: string[] = [];

function answer(status: number, body: unknown) {
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(url);
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
}

async function signIn(password: string) {
  render(
    <ChakraProvider value={system}>
      <LoginForm />
    </ChakraProvider>,
  );
  await userEvent.type(screen.getByLabelText('E-mail'), 'camila@acme.test');
  if (password) await userEvent.type(screen.getByLabelText('Senha'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
}

beforeEach(() => {
  calls.length = 0;
  closeSession();
});

test('a right password opens the session', async () => {
  answer(200, { token: 'abc', user: makeUser() });
  await signIn('balcao123');
  await vi.waitFor(() => expect(useSession.getState().status).toBe('in'));
});

test('a wrong password is said in words', async () => {
  answer(401, { code: 'ERR_INVALID_CREDENTIALS' });
  await signIn('wrong');
  await screen.findByText('E-mail ou Senha inválida. Por favor, tente novamente.');
  expect(useSession.getState().status).toBe('out');
});

test('whether a company is past its due date the server alone says: clocks differ', async () => {
  const user = makeUser();
  user.company.dueDate = '2020-01-31';
  answer(402, { code: 'ERR_COMPANY_EXPIRED', message: 'Sua assinatura venceu 31/01/2020.' });
  await signIn('balcao123');
  await screen.findByText(/venceu 31\/01\/2020\./);
  expect(useSession.getState().status).toBe('out');
  answer(200, { token: 'abc', user });
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await vi.waitFor(() => expect(useSession.getState().status).toBe('in'));
});

test('of an overdue company an admin gets in to pay, others read whom to ask', async () => {
  const refusal = { code: 'ERR_COMPANY_EXPIRED', message: 'Sua assinatura venceu 31/01/2020.' };
  answer(402, refusal);
  await signIn('balcao123');
  await screen.findByText(/venceu 31\/01\/2020\..* Peça a um administrador da sua empresa/);
  const user = makeUser();
  user.company.dueDate = '2020-01-31';
  answer(402, { ...refusal, token: 'abc', user });
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await vi.waitFor(() => expect(useSession.getState().overdueSince).toBe('2020-01-31'));
});

test('the second factor is asked for, and sent with the password', async () => {
  answer(401, { code: 'ERR_TWO_FACTOR_REQUIRED' });
  await signIn('balcao123');
  const code = await screen.findByLabelText('Código do autenticador');
  expect(document.activeElement).toBe(code);
  answer(401, { code: 'ERR_TWO_FACTOR_CODE' });
  await userEvent.type(code, '000000');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await screen.findByText(/^O código não confere/);
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return Promise.resolve(new Response(JSON.stringify({ token: 'abc', user: makeUser() })));
  });
  await userEvent.clear(code);
  await userEvent.type(code, '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await vi.waitFor(() => expect(useSession.getState().status).toBe('in'));
  expect(bodies).toEqual([{ email: 'camila@acme.test', password: 'balcao123', code: '123456' }]);
});

test('an empty password is refused at its field, without a call', async () => {
  answer(500, {});
  await signIn('');
  const reason = await screen.findByText('Informe sua senha');
  expect(screen.getByLabelText('Senha').getAttribute('aria-describedby')).toBe(reason.id);
  expect(calls).toEqual([]);
});

test.each(['camila', 'camila@acme', 'camila @acme.test', '@acme.test'])(
  'what is no address is refused at its field, without a call: %s',
  async (written) => {
    answer(500, {});
    render(
      <ChakraProvider value={system}>
        <LoginForm />
      </ChakraProvider>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findByText('Informe seu e-mail');
    await userEvent.type(screen.getByLabelText('E-mail'), written);
    await screen.findByText('Informe um e-mail válido');
    expect(calls).toEqual([]);
  },
);

test('spaces around the address are no part of it', async () => {
  const sent = vi.fn();
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    sent(JSON.parse(body as string));
    return Promise.resolve(new Response(JSON.stringify({ token: 'abc', user: makeUser() })));
  });
  render(
    <ChakraProvider value={system}>
      <LoginForm />
    </ChakraProvider>,
  );
  await userEvent.type(screen.getByLabelText('E-mail'), ' camila@acme.test ');
  await userEvent.type(screen.getByLabelText('Senha'), ' with spaces ');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith({ email: 'camila@acme.test', password: ' with spaces ' }),
  );
});

test.each([
  ['2026-03-14', 'Sua assinatura vence em 4 dias'],
  ['2026-03-11', 'Sua assinatura vence em 1 dia'],
  ['2026-03-15', undefined],
])('with a subscription until %s the notice is %s', async (dueDate, words) => {
  vi.useFakeTimers({ now: new Date(2026, 2, 10, 15), toFake: ['Date'] });
  const told = vi.spyOn(toaster, 'create').mockClear();
  const user = makeUser();
  user.company.dueDate = dueDate;
  answer(200, { token: 'abc', user });
  await signIn('balcao123');
  await vi.waitFor(() => expect(useSession.getState().status).toBe('in'));
  await vi.waitFor(() => expect(told.mock.lastCall?.[0].title).toBe(words));
  vi.useRealTimers();
});
