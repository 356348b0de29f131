import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ArchiveTab } from './ArchiveTab';
import type { Archive } from './types';

const WRITING: Archive = {
  state: 'writing',
  createdAt: '2026-11-30T10:00:00Z',
  expiresAt: null,
  withMedia: true,
  withPasswords: false,
  rowsTotal: 1200,
  rowsDone: 300,
  filesDone: 0,
  missingFiles: 0,
  size: null,
  contents: [],
  url: null,
  errorCode: '',
};
const READY: Archive = {
  ...WRITING,
  state: 'ready',
  expiresAt: '2026-12-07T10:00:00Z',
  rowsDone: 1200,
  filesDone: 12,
  missingFiles: 1,
  size: 3_200_000,
  contents: [{ group: 'conversations', count: 1100 }],
  url: 'https://balcao.test/api/public/x/archives/y.tar?name=balcao.tar',
};

let archive: Archive | null;
let failure: number | null;
let asked: string[];

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

async function serve(_input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  await Promise.resolve();
  const method = init?.method ?? 'GET';
  if (method !== 'GET') asked.push(`${method} ${init?.body ?? ''}`.trim());
  if (failure) return json({ error: 'Não deu.', code: 'ERR_INTERNAL' }, failure);
  if (method === 'POST') archive = WRITING;
  if (method === 'DELETE') archive = null;
  return json({ archive });
}

function open() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <ArchiveTab />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

beforeEach(() => {
  archive = null;
  failure = null;
  asked = [];
  queryClient.clear();
  vi.stubGlobal('fetch', vi.fn(serve));
  openSession({ token: 'abc', user: makeUser() });
});

test('an admin asks for an archive and sees how far it is', async () => {
  open();
  await userEvent.click(
    await screen.findByRole('checkbox', { name: 'Com as senhas dos usuários' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Preparar arquivo' }));
  expect(await screen.findByText('300 de 1.200 registros')).toBeTruthy();
  expect(asked).toEqual(['POST {"withMedia":true,"withPasswords":true}']);
  expect(screen.queryByRole('button', { name: 'Preparar arquivo' })).toBeNull();
});

test('a complete archive is downloaded by its address, and says what is in it', async () => {
  archive = READY;
  open();
  const link = await screen.findByRole('link', { name: 'Baixar' });
  expect(link.getAttribute('href')).toBe(READY.url);
  expect(screen.getByText('Atendimentos e mensagens')).toBeTruthy();
  expect(screen.getByText('1.100')).toBeTruthy();
  expect(screen.getByText('3,2 MB')).toBeTruthy();
  expect(screen.getByText(/1 arquivo não existia mais/)).toBeTruthy();
});

test('an archive is deleted after a question', async () => {
  archive = READY;
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Excluir arquivo' }));
  expect(asked).toEqual([]);
  const buttons = await screen.findAllByRole('button', { name: 'Excluir arquivo' });
  await userEvent.click(buttons[buttons.length - 1] as HTMLElement);
  await waitFor(() => expect(asked).toEqual(['DELETE']));
  expect(await screen.findByRole('button', { name: 'Preparar arquivo' })).toBeTruthy();
});

test('an archive that failed says so and may be asked for again', async () => {
  archive = { ...WRITING, state: 'failed', errorCode: 'ERR_ARCHIVE_FAILED' };
  open();
  expect((await screen.findByRole('alert')).textContent).toContain('não pôde ser preparado');
  expect(screen.getByRole('button', { name: 'Preparar arquivo' })).toBeTruthy();
});

test('what could not be loaded may be loaded again', async () => {
  failure = 500;
  open();
  expect(await screen.findByText('Não foi possível carregar o arquivo da empresa')).toBeTruthy();
  failure = null;
  await userEvent.click(screen.getByRole('button', { name: /Tentar/ }));
  expect(await screen.findByRole('button', { name: 'Preparar arquivo' })).toBeTruthy();
});
