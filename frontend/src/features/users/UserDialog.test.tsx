import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { UserDialog } from './UserDialog';

const QUEUE = { id: 3, name: 'Vendas', color: '#3E7BD6' };
const STORED = {
  ...makeUser({ id: 9, name: 'Ana Prado', email: 'ana@acme.test', profile: 'user' }),
  queues: [QUEUE],
  whatsappId: 5,
};

const ROLES = [
  { id: null, key: 'user', name: '', permissions: ['tickets:take'], users: 1 },
  { id: 4, key: '4', name: 'Caixa', permissions: ['tickets:take'], users: 0 },
  { id: 5, key: '5', name: 'Outra casa', permissions: ['later:thing'], users: 0 },
];

/** Pending responses for queues and connections, which the test completes. */
let answers: Record<string, (response: Response) => void>;
const refusal = () =>
  Response.json({ code: 'ERR_NO_PERMISSION', message: 'x', fields: {} }, { status: 403 });

beforeEach(() => {
  queryClient.clear();
  openSession({
    token: 'abc',
    user: makeUser({ permissions: ['user-modal:editProfile', 'user-modal:editQueues'] }),
  });
  answers = {};
  vi.stubGlobal('fetch', (input: string) => {
    const path = new URL(input, 'http://balcao.test').pathname.replace(/^\/api|\/$/g, '');
    if (path === '/users/9') return Promise.resolve(Response.json(STORED));
    if (path === '/roles') return Promise.resolve(Response.json({ roles: ROLES, requires: {} }));
    if (path !== '/queue' && path !== '/whatsapp') return Promise.resolve(Response.json({}));
    return new Promise<Response>((resolve) => (answers[path] = resolve));
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <UserDialog userId={9} onClose={vi.fn()} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
});

const connection = () => screen.findByLabelText<HTMLSelectElement>('Conexão padrão');
const queues = () => screen.findByRole('group', { name: 'Filas' });

test('the stored connection is shown although its option comes later', async () => {
  expect((await connection()).value).toBe('');
  answers['/whatsapp']?.(
    Response.json([
      { id: 4, name: 'Loja' },
      { id: 5, name: 'Oficina' },
    ]),
  );
  await screen.findByRole('option', { name: 'Oficina' });
  expect((await connection()).value).toBe('5');
});

test('of the queues nothing is said until they are there', async () => {
  expect((await queues()).textContent).toBe('');
  answers['/queue']?.(Response.json([QUEUE]));
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Vendas' });
  expect(box.checked).toBe(true);
});

test('queues and connections that do not come say why', async () => {
  await connection();
  answers['/queue']?.(refusal());
  answers['/whatsapp']?.(refusal());
  const words = 'Você não tem permissão para acessar este recurso.';
  expect((await within(await queues()).findByRole('alert')).textContent).toBe(words);
  expect(screen.queryByText('Ainda não há filas.')).toBeNull();
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
});

test('a role is offered if it allows nothing that the user lacks', async () => {
  const role = await screen.findByLabelText<HTMLSelectElement>('Papel');
  await screen.findByRole('option', { name: 'Caixa' });
  const options = [...(await screen.findByLabelText<HTMLSelectElement>('Papel')).options];
  expect(options.map(({ text }) => text)).toEqual(['Atendente', 'Caixa']);
  expect(role.value).toBe('user');
});
