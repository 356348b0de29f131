import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { RehearsalDialog } from './RehearsalDialog';
import { REHEARSAL, REPORT } from './testData';
import type { Rehearsal, RehearsalReport } from './types';

beforeEach(() => openSession({ token: 'token', user: makeUser() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

interface World {
  rehearsal?: Rehearsal;
  report?: RehearsalReport | null;
  kept?: Rehearsal[];
  answer?: () => Response;
}

/** Opens the dialog of a distribution; returns what was sent. */
function open({ rehearsal = REHEARSAL, report = REPORT, kept = [], answer }: World = {}) {
  const sent: { method: string; path: string; body: unknown }[] = [];
  const onSwitchOn = vi.fn();
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    const path = new URL(url, 'http://x').pathname.replace(/^.*\/api/, '');
    if (init?.method && init.method !== 'GET') {
      const body: unknown = JSON.parse((init.body as string | undefined) ?? 'null');
      sent.push({ method: init.method, path, body });
      const made = { ...rehearsal, state: 'waiting' };
      return Promise.resolve(answer ? answer() : Response.json(made, { status: 201 }));
    }
    const found = path === '/rehearsals' ? kept : { rehearsal, report };
    return Promise.resolve(Response.json(found));
  });
  return { sent, onSwitchOn, user: show(onSwitchOn) };
}

function show(onSwitchOn = vi.fn()) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <RehearsalDialog
            title="Vendas"
            proposal={{ subject: 'assignment', queueId: 4, assignment: { mode: 'round_robin' } }}
            isOn={false}
            onSwitchOn={onSwitchOn}
            onClose={() => undefined}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return userEvent.setup();
}

test('the days are asked, and the report stands beside the switch', async () => {
  const { sent, onSwitchOn, user } = open();
  expect(await screen.findByText(/Nada é enviado nem alterado/)).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Período'), '30');
  await user.click(screen.getByRole('button', { name: 'Ensaiar' }));
  await waitFor(() =>
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/rehearsals',
        body: {
          subject: 'assignment',
          queueId: 4,
          assignment: { mode: 'round_robin' },
          days: 30,
        },
      },
    ]),
  );
  await queryClient.invalidateQueries();
  const row = await screen.findByRole('row', { name: /primeira resposta \(mediana\)/ });
  expect(within(row).getByText('33 min')).toBeTruthy();
  expect(within(row).getByText('3 min')).toBeTruthy();
  expect(screen.getByText(/Iniciado por Ana/)).toBeTruthy();
  expect(screen.getByText(/De 2 pessoas não há linha do tempo/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Ligar' }));
  expect(onSwitchOn).toHaveBeenCalled();
});

test('one that runs tells how far it is, and can be stopped', async () => {
  const running: Rehearsal = {
    ...REHEARSAL,
    state: 'running',
    ticketsDone: 400,
    ticketsTotal: 1000,
  };
  const { sent, user } = open({ rehearsal: running, report: null });
  await user.click(await screen.findByRole('button', { name: 'Ensaiar' }));
  await queryClient.invalidateQueries();
  expect(await screen.findByText('400 de 1.000 atendimentos')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Parar' }));
  await waitFor(() => expect(sent.at(-1)?.method).toBe('DELETE'));
  expect(await screen.findByLabelText('Período')).toBeTruthy();
});

test('one that somebody else stops is not shown as running any more', async () => {
  const running: Rehearsal = { ...REHEARSAL, state: 'running' };
  const world = { isGone: false };
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') return Promise.resolve(Response.json(running, { status: 201 }));
    if (url.endsWith('/rehearsals')) return Promise.resolve(Response.json([]));
    const gone = Response.json({ code: 'ERR_NO_REHEARSAL', message: '' }, { status: 404 });
    return Promise.resolve(
      world.isGone ? gone : Response.json({ rehearsal: running, report: null }),
    );
  });
  const user = show();
  await user.click(await screen.findByRole('button', { name: 'Ensaiar' }));
  await screen.findByRole('button', { name: 'Parar' });
  world.isGone = true;
  await queryClient.invalidateQueries();
  expect((await screen.findByRole('alert')).textContent).toBe('Outra pessoa parou este ensaio.');
  expect(screen.queryByRole('button', { name: 'Parar' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Ensaiar' })).toBeTruthy();
});

test('a refusal is told where it was asked', async () => {
  const refusal = { error: 'ERR_REHEARSAL_RUNS', code: 'ERR_REHEARSAL_RUNS', message: '' };
  const { user } = open({ answer: () => Response.json(refusal, { status: 409 }) });
  await user.click(await screen.findByRole('button', { name: 'Ensaiar' }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Já há um ensaio em andamento/);
});

test('a refusal to stop the one of somebody else is told', async () => {
  const said = vi.spyOn(toast, 'error').mockImplementation(() => undefined);
  const { user } = open({
    kept: [{ ...REHEARSAL, state: 'running' }],
    answer: () => Response.json({ code: 'ERR_NO_PERMISSION' }, { status: 403 }),
  });
  await user.click(await screen.findByRole('button', { name: 'Parar' }));
  await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
});

test('earlier reports are shown again', async () => {
  const { user } = open({ kept: [REHEARSAL] });
  await user.click(await screen.findByRole('button', { name: /^Ver o ensaio/ }));
  expect(await screen.findByRole('table', { name: 'Para quem foram' })).toBeTruthy();
  expect(screen.getByRole('row', { name: /Alguém que saiu 800 450/ })).toBeTruthy();
  // It may have tried something else.
  expect(screen.queryByRole('button', { name: 'Ligar' })).toBeNull();
});

test('a rule that stands shows how often it ran beside how often it would have', async () => {
  const report = { ...REPORT, matched: 0, changed: 0, runs: { before: 12, after: 0, refused: 0 } };
  const { user } = open({
    rehearsal: { ...REHEARSAL, subject: 'rule' },
    report,
    kept: [REHEARSAL],
  });
  await user.click(await screen.findByRole('button', { name: /^Ver o ensaio/ }));
  expect(await screen.findByRole('row', { name: 'Vezes que a regra agiu 12 0' })).toBeTruthy();
  expect(screen.getByText('A regra não teria agido em nenhum atendimento.')).toBeTruthy();
});
