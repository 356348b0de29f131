import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { NewTicketDialog } from './NewTicketDialog';

let searches: string[];
let answer: (response: Response) => void;
const page = (...contacts: unknown[]) =>
  Response.json({ contacts, count: contacts.length, hasMore: false });

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  searches = [];
  vi.stubGlobal('fetch', (input: string) => {
    const { pathname, searchParams } = new URL(input, 'http://balcao.test');
    if (!pathname.includes('/contacts')) return Promise.resolve(Response.json([]));
    searches.push(searchParams.get('searchParam') ?? '');
    return new Promise<Response>((resolve) => (answer = resolve));
  });
  show();
});

const show = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <NewTicketDialog onClose={vi.fn()} onTicket={vi.fn()} onCreateContact={vi.fn()} />
      </QueryClientProvider>
    </ChakraProvider>,
  );

async function type(value: string) {
  const field = await screen.findByRole('combobox', { name: /Contato/ });
  await userEvent.click(field);
  vi.useFakeTimers();
  fireEvent.change(field, { target: { value } });
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

afterEach(() => vi.useRealTimers());

test('from the third letter on it is searched for, and nothing is said of it before', async () => {
  await type('ana');
  await pass(400);
  expect(searches).toEqual([]);
  expect(screen.getByText('Buscando…')).toBeDefined();
  await pass(200);
  expect(searches).toEqual(['ana']);
  expect(screen.getByText('Buscando…')).toBeDefined();
  vi.useRealTimers();
  answer(page());
  expect(await screen.findByRole('option', { name: /ana/ })).toBeDefined();
});

test('a search that failed says why, and offers to make nobody', async () => {
  await type('ana');
  await pass(600);
  expect(searches).toEqual(['ana']);
  vi.useRealTimers();
  answer(
    Response.json(
      { error: 'x', code: 'ERR_NO_PERMISSION', message: 'x', fields: {} },
      { status: 403 },
    ),
  );
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Você não tem permissão para acessar este recurso.',
  );
  expect(screen.queryByText('Nada encontrado')).toBeNull();
  expect(screen.queryByRole('option', { name: /ana/ })).toBeNull();
});

test('the only queue of an attendant is chosen already, of several none is', async () => {
  const queues = ['Vendas', 'Suporte'].map((name, at) => ({
    id: at + 1,
    name,
    color: '#0F8EA3',
    UserQueue: { userId: 7, queueId: at + 1 },
  }));
  const chosen = async () =>
    (await screen.findByLabelText<HTMLSelectElement>(/^Fila/)).selectedOptions[0]?.textContent;
  for (const [own, shown] of [
    [queues.slice(0, 1), 'Vendas'],
    [queues, 'Selecione uma fila'],
  ] as const) {
    cleanup();
    openSession({
      token: 'abc',
      user: makeUser({ profile: 'user', permissions: [], queues: [...own] }),
    });
    show();
    expect(await chosen()).toBe(shown);
  }
});
