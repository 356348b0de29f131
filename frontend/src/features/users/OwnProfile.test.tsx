import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { UserDialog } from './UserDialog';

const ME = makeUser({ id: 9, name: 'Ana Prado', email: 'ana@acme.test', profile: 'user' });
const STORED = { ...ME, queues: [], whatsappId: null };
const onClose = vi.fn();

/** The request bodies of the dialog, and the server's next refusal. */
let sent: Record<string, unknown>[];
let refusal: Record<string, unknown> | undefined;

beforeEach(() => {
  queryClient.clear();
  onClose.mockClear();
  openSession({ token: 'abc', user: ME });
  sent = [];
  refusal = undefined;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const path = new URL(input, 'http://balcao.test').pathname.replace(/^\/api|\/$/g, '');
    if (path !== '/users/9') return Promise.resolve(Response.json([]));
    if (init?.method !== 'PUT') return Promise.resolve(Response.json(STORED));
    sent.push(JSON.parse(init.body as string) as Record<string, unknown>);
    return Promise.resolve(
      refusal ? Response.json(refusal, { status: 400 }) : Response.json(STORED),
    );
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <UserDialog userId={9} onClose={onClose} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(new RegExp(`^${label}`)), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Salvar' }));
const current = () => screen.findByLabelText<HTMLInputElement>(/^Senha atual/);

test('a new own e-mail asks for the present password before anything is sent', async () => {
  await type('E-mail', 'nova@acme.test');
  save();
  await waitFor(async () => expect((await current()).getAttribute('aria-invalid')).toBe('true'));
  await waitFor(async () => expect(document.activeElement).toBe(await current()));
  expect(sent).toEqual([]);
  await type('Senha atual', 'segredo');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent).toMatchObject([{ email: 'nova@acme.test', currentPassword: 'segredo' }]);
});

test('a new own name asks for no password, nor does the e-mail in other letters', async () => {
  await type('Nome', 'Ana Maria');
  await type('E-mail', ' ANA@acme.test ');
  save();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent[0]).not.toHaveProperty('currentPassword');
});

test('a refusal of the server stands at the field, in words', async () => {
  refusal = {
    code: 'ERR_CURRENT_PASSWORD_REQUIRED',
    message: 'x',
    fields: { currentPassword: ['x'] },
  };
  await type('Nome', 'Ana Maria');
  save();
  expect(
    await screen.findByText('Informe a senha atual para mudar o seu e-mail ou a sua senha.'),
  ).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});
