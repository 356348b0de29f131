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
import { RetentionTab } from './RetentionTab';

const FOREVER = { messagesYears: null, mediaMonths: null, logsDays: null };

let kept: Record<string, number | null>;
let sent: string[];
let preview: unknown;
let runs: unknown[];

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

const answer = () => ({
  values: kept,
  defaults: FOREVER,
  isDefault: kept === FOREVER,
  limits: { messagesYears: 20, mediaMonths: 240, logsDays: 30 },
  nextRunAt: null,
  runs,
});

function serve(input: string, init?: RequestInit & { body?: string }): Promise<Response> {
  const { pathname, search } = new URL(input, 'http://balcao.test');
  const method = init?.method ?? 'GET';
  if (method !== 'GET') sent.push(`${method} ${pathname} ${init?.body ?? ''}`);
  if (pathname.endsWith('/preview')) {
    sent.push(`preview ${search}`);
    return Promise.resolve(preview instanceof Response ? preview.clone() : json(preview));
  }
  if (method === 'PUT') kept = JSON.parse(init?.body ?? '') as typeof kept;
  if (method === 'DELETE') kept = FOREVER;
  return Promise.resolve(json(pathname.endsWith('/defaults') ? kept : answer()));
}

function open() {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <RetentionTab />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

beforeEach(() => {
  kept = FOREVER;
  sent = [];
  runs = [];
  preview = { runAt: null, amounts: [] };
  queryClient.clear();
  vi.stubGlobal('fetch', vi.fn(serve));
  openSession({ token: 'abc', user: makeUser() });
});

test('what would go is shown before it is chosen, and a choice asks first', async () => {
  open();
  const seen = await screen.findByRole('region', { name: 'O que será apagado' });
  await within(seen).findByText('Nada: com esta escolha tudo fica guardado.');
  preview = {
    runAt: '2026-03-09T06:10:00Z',
    amounts: [
      {
        kind: 'messages',
        before: '2025-03-09T06:10:00Z',
        rows: 1234,
        bytes: 5_600_000,
        isMore: false,
      },
      { kind: 'notes', before: '2025-03-09T06:10:00Z', rows: 1, bytes: 0, isMore: false },
      { kind: 'media', before: '2026-02-09T06:10:00Z', rows: 100_000, bytes: 0, isMore: true },
    ],
  };
  await userEvent.selectOptions(screen.getByLabelText('Mensagens'), '1 ano');
  expect(await within(seen).findByText(/1\.234 mensagens, 5,6 MB/)).toBeTruthy();
  expect(within(seen).getByText('1 nota')).toBeTruthy();
  expect(within(seen).getByText(/mais de 100\.000 arquivos/)).toBeTruthy();
  expect(isLostBy('PUSH', true)).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Salvar prazos' }));
  const question = await screen.findByRole('alertdialog');
  expect(sent.filter((each) => each.startsWith('PUT'))).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Salvar' }));
  await waitFor(() =>
    expect(sent.filter((each) => each.startsWith('PUT'))).toEqual([
      'PUT /api/retention {"messagesYears":1,"mediaMonths":null,"logsDays":null}',
    ]),
  );
  await screen.findByText('Vale o prazo escolhido pela sua empresa.');
  expect(isLostBy('PUSH', true)).toBe(false);
});

test('the last runs say what they freed', async () => {
  runs = [
    { id: 2, startedAt: '2026-03-02T06:10:00Z', finishedAt: null, rows: { logs: 1 }, bytes: 0 },
    {
      id: 1,
      startedAt: '2026-03-01T06:10:00Z',
      finishedAt: '2026-03-01T06:11:00Z',
      rows: { messages: 2000, notes: 3, media: 1 },
      bytes: 1_400_000_000,
    },
  ];
  open();
  expect(await screen.findByText('2.000 mensagens, 3 notas, 1 arquivo, 1,4 GB')).toBeTruthy();
  expect(screen.getByText('em andamento: 1 registro')).toBeTruthy();
});

test('a preview that fails says so and is asked again', async () => {
  // Not one of those that are asked again by themselves.
  preview = json({ code: 'ERR_VALIDATION', message: 'Falhou.' }, 400);
  open();
  const seen = await screen.findByRole('region', { name: 'O que será apagado' });
  const again = await within(seen).findByRole('button', { name: /tentar/i });
  preview = { runAt: null, amounts: [] };
  await userEvent.click(again);
  await within(seen).findByText('Nada: com esta escolha tudo fica guardado.');
});

test('only the super user sees the defaults of all companies', async () => {
  open();
  await screen.findByText('Por quanto tempo guardar');
  expect(screen.queryByText('Prazo padrão de todas as empresas')).toBeNull();
});

test('the super user chooses the defaults', async () => {
  openSession({ token: 'abc', user: { ...makeUser(), super: true } });
  open();
  const part = await screen.findByRole('region', { name: 'Prazo padrão de todas as empresas' });
  await userEvent.selectOptions(within(part).getByLabelText('Arquivos'), '6 meses');
  await userEvent.click(within(part).getByRole('button', { name: 'Salvar prazo padrão' }));
  await waitFor(() =>
    expect(sent.filter((each) => each.startsWith('PUT'))).toEqual([
      'PUT /api/retention/defaults {"messagesYears":null,"mediaMonths":6,"logsDays":null}',
    ]),
  );
});
