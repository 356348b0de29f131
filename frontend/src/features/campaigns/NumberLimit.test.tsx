import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { NumberLimit } from './NumberLimit';

const HEALTH = {
  id: 3,
  qualityRating: 'GREEN',
  messagingLimit: 250,
  portfolioId: '9',
  portfolioName: 'Loja da Ana',
  portfolioNumbers: [
    { id: 4, name: 'Vendas', number: '' },
    { id: 5, name: 'Suporte', number: '' },
  ],
  portfolioUsed: 240,
  businessVerification: 'not_verified',
};
let answer: () => Promise<Response>;

beforeEach(() => {
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  answer = () => Promise.resolve(Response.json(HEALTH));
  vi.stubGlobal('fetch', () => answer());
});

const show = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <NumberLimit connectionId={3} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
const region = () => screen.getByRole('region', { name: 'O número na Meta' });
const ADVICE = /não está verificada na Meta/;

test('quality, limit, use, verification and who shares it are shown', async () => {
  show();
  await screen.findByText('Alta');
  for (const words of [
    '250 pessoas em 24 horas',
    '240 de 250 pessoas',
    'Não verificada pela Meta',
    'Loja da Ana',
    'Vendas, Suporte',
  ])
    expect(region().textContent).toContain(words);
  expect(screen.getByText(ADVICE).textContent).toContain('um dos caminhos');
});

test.each([
  { businessVerification: 'verified' },
  { businessVerification: '' },
  { messagingLimit: 2000 },
  { messagingLimit: null },
])('verification is advised at the first limit alone: not for %j', async (change) => {
  answer = () => Promise.resolve(Response.json({ ...HEALTH, ...change }));
  show();
  await screen.findByText('Alta');
  expect(screen.queryByText(ADVICE)).toBeNull();
});

test('what Meta has not told yet says so', async () => {
  const unknown = {
    qualityRating: '',
    messagingLimit: null,
    portfolioName: '',
    portfolioNumbers: [],
    portfolioUsed: 0,
    businessVerification: '',
  };
  answer = () => Promise.resolve(Response.json({ ...HEALTH, ...unknown }));
  show();
  await screen.findByText('Ainda sem nota');
  expect(screen.getAllByText('Ainda não informado')).toHaveLength(2);
  expect(screen.queryByText('Divide o limite com')).toBeNull();
});

test('without a limit nothing is said of its use, and a new state is shown as Meta names it', async () => {
  const change = { messagingLimit: -1, businessVerification: 'brand_new' };
  answer = () => Promise.resolve(Response.json({ ...HEALTH, ...change }));
  show();
  await screen.findByText('Sem limite');
  screen.getByText('brand_new');
  expect(screen.queryByText('Usado nas últimas 24 horas')).toBeNull();
});

test('a failure is told, and tried again', async () => {
  answer = () => new Promise(() => undefined);
  const { unmount } = show();
  screen.getByRole('status', { name: 'Consultando o número…' });
  unmount();
  queryClient.clear();
  const refused = { code: 'ERR_NO_PERMISSION', error: 'ERR_NO_PERMISSION', message: 'Não.' };
  answer = () => Promise.resolve(Response.json(refused, { status: 403 }));
  show();
  await screen.findByText('Não foi possível ler como está o número.');
  answer = () => Promise.resolve(Response.json(HEALTH));
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await screen.findByText('240 de 250 pessoas');
});
