import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ConnectionsTable } from './ConnectionsTable';
import { makeConnection } from './testData';
import type { Connection } from './types';

const LOJA = makeConnection({ isDefault: false, updatedAt: new Date().toISOString() });

const ACTIONS = ['actionButtons', 'addConnection', 'editOrDeleteConnection'].map(
  (name) => `connections-page:${name}`,
);
const ROLES = {
  admin: makeUser({ permissions: ACTIONS }),
  agent: makeUser({ permissions: [], profile: 'user' }),
};

let stored: Connection;
let calls: string[];

beforeEach(() => {
  queryClient.clear();
  calls = [];
  // A wide screen: the buttons are in the row.
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const { pathname } = new URL(input, 'http://balcao.test');
    calls.push(`${init?.method ?? 'GET'} ${pathname}`);
    const body = pathname.endsWith('/api/whatsapp/')
      ? [stored]
      : pathname.endsWith('/signup')
        ? { isOffered: false }
        : [];
    return Promise.resolve(new Response(JSON.stringify(body)));
  });
});

async function row(role: keyof typeof ROLES, changes: object): Promise<HTMLElement> {
  stored = { ...LOJA, ...changes };
  openSession({ token: 'abc', user: ROLES[role] });
  render(
    <MemoryRouter>
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <ConnectionsTable costOf={() => null} />
        </QueryClientProvider>
      </ChakraProvider>
    </MemoryRouter>,
  );
  return screen.findByRole('row', { name: /Loja/ });
}

/** The labels of a row's session buttons, disabled ones in brackets. */
const buttonsOf = (line: HTMLElement) =>
  within(line)
    .queryAllByRole<HTMLButtonElement>('button')
    .filter(({ textContent }) => textContent !== '')
    .map(({ textContent, disabled }) => (disabled ? `(${textContent})` : textContent));

/** By provider and status (rules/connections §9). */
const BUTTONS: [string, string, string[]][] = [
  ['beta', 'qrcode', ['QR Code']],
  ['beta', 'DISCONNECTED', ['Tentar novamente', 'Novo QR Code']],
  ['beta', 'OPENING', ['(Conectando)']],
  ['beta', 'CONNECTED', ['Desconectar']],
  ['beta', 'PAIRING', ['Desconectar']],
  ['beta', 'TIMEOUT', ['Desconectar']],
  ['official', 'qrcode', []],
  ['official', 'DISCONNECTED', ['Tentar novamente']],
  ['official', 'OPENING', ['(Conectando)']],
  ['official', 'CONNECTED', ['(Conectada)']],
  ['official', 'PAIRING', []],
  ['official', 'TIMEOUT', []],
];

test.each(BUTTONS)(
  'an admin has of a %s connection that is %s: %j',
  async (provider, status, words) => {
    const line = await row('admin', { provider, status });
    expect(buttonsOf(line)).toEqual(words);
    const icons = ['Editar Loja', 'Excluir Loja', /^Saúde de Loja/];
    for (const name of icons) within(line).getByRole('button', { name });
    const profile = within(line).queryByRole('button', { name: /^Perfil/ });
    expect(profile !== null).toBe(provider === 'official');
  },
);

test.each(BUTTONS)(
  'a person without rights sees a %s connection that is %s',
  async (provider, status) => {
    const line = await row('agent', { provider, status });
    expect(within(line).queryAllByRole('button')).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Adicionar conexão' })).toBeNull();
  },
);

test('a session that opens for too long is started again by its button', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  const updatedAt = new Date().toISOString();
  const line = await row('admin', { provider: 'beta', status: 'OPENING', updatedAt });
  expect(buttonsOf(line)).toEqual(['(Conectando)']);
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(buttonsOf(line)).toEqual(['Reconectar', 'Desconectar']);
  vi.useRealTimers();
  await userEvent.click(within(line).getByRole('button', { name: 'Reconectar Loja' }));
  await waitFor(() => expect(calls).toContain('POST /api/whatsappsession/5'));
});

test.each(['credentials_refused', 'no_permission'])(
  'who lost its token (%s) says so and leads to the field of the token',
  async (reasonCode) => {
    const line = await row('admin', {
      provider: 'official',
      status: 'DISCONNECTED',
      reasonCode,
      statusReason: 'A Meta recusou o token de acesso.',
    });
    expect(buttonsOf(line)).toEqual(['Reconectar']);
    expect(within(line).getByText(/token de acesso/)).toBeTruthy();
    await userEvent.click(within(line).getByRole('button', { name: 'Reconectar Loja' }));
    const dialog = await screen.findByRole('dialog', { name: 'Editar conexão' });
    await waitFor(() =>
      expect(document.activeElement).toBe(within(dialog).getByLabelText(/^Token de acesso/)),
    );
  },
);

test('a number that is told nothing of other agents says why, and what to do', async () => {
  const line = await row('admin', {
    provider: 'official',
    status: 'CONNECTED',
    routingReasonCode: 'data_refused',
    routingReason: 'Não aceitou.',
  });
  const words = await within(line).findByText(/As conversas de outros agentes não chegam aqui/);
  expect(words.textContent).toContain('Marque standby e messaging_handovers');
});
