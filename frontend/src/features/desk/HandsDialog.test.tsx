import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { system } from '@/theme';
import { HandsDialog } from './HandsDialog';
import { makeSupervisor } from './testData';
import type { ChangeOfHands } from './types';

const change = (id: number, changes: Partial<ChangeOfHands>): ChangeOfHands => ({
  id,
  fromName: null,
  toName: null,
  actorName: null,
  queueName: 'Vendas',
  why: 'turn',
  at: '2026-03-04T12:00:00Z',
  ...changes,
});

beforeEach(() => openSession({ token: 'token', user: makeSupervisor() }));
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

function open(answer: () => Response, isMine = true) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(new URL(url, 'http://x').pathname.replace(/^.*\/api/, ''));
    return Promise.resolve(answer());
  });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <HandsDialog ticketId={5} isMine={isMine} onClose={vi.fn()} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return calls;
}

const lines = async () =>
  (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);

test('who had it and why is told in words, the latest first', async () => {
  const calls = open(() =>
    Response.json([
      change(1, { toName: 'Ana', why: 'turn' }),
      change(2, { fromName: 'Ana', why: 'unanswered' }),
      change(3, { why: 'by_hand' }),
      change(4, { fromName: 'Ana', toName: 'Bob', actorName: 'Carla', why: 'supervisor' }),
    ]),
  );
  const told = await lines();
  expect(told[0]).toMatch(/^De Ana para BobCarla, pela página Equipe agora\.Vendas · /);
  expect(told[1]).toContain('Mudou de mãosÀ mão, não pela distribuição.');
  expect(told[2]).toContain('Saiu de AnaO contato ficou sem resposta.');
  expect(told[3]).toContain('Para AnaA distribuição deu: era a vez dessa pessoa.');
  expect(calls).toEqual(['/tickets/5/assignments']);
  expect(screen.getByRole('dialog', { name: 'Por que está comigo?' })).toBeTruthy();
  expect(screen.queryByText(/^Só as últimas/)).toBeNull();
});

test('a ticket that nobody had says so, and one with many changes that these are the latest', async () => {
  let rows: ChangeOfHands[] = [];
  open(() => Response.json(rows), false);
  await screen.findByText('Nenhuma mudança de mãos desde que a distribuição foi ligada.');
  expect(screen.getByRole('dialog', { name: 'Quem atendeu e por quê' })).toBeTruthy();
  cleanup();
  rows = Array.from({ length: 100 }, (_, id) => change(id, { toName: 'Ana' }));
  open(() => Response.json(rows));
  await screen.findByText('Só as últimas 100 mudanças.');
});

test('a failure is told and tried again', async () => {
  let fails = true;
  queryClient.setDefaultOptions({ queries: { retry: false } });
  open(() =>
    fails
      ? Response.json({ code: 'ERR_INTERNAL', message: 'Falhou.' }, { status: 500 })
      : Response.json([change(1, { toName: 'Ana' })]),
  );
  const again = await screen.findByRole('button', { name: /tentar/i });
  fails = false;
  await userEvent.click(again);
  expect(await lines()).toHaveLength(1);
});
