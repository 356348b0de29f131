import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ticket } from '@/features/tickets/api';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { system } from '@/theme';
import { TeamPage } from './TeamPage';
import { makeMember, makeSupervisor } from './testData';
import type { HeldTicket, Team } from './types';

const ticket = {
  id: 40,
  queueId: 4,
  contact: { id: 2, name: 'Iracema Luz' },
  queue: { id: 4, name: 'Vendas', color: '#3E7BD6' },
} as unknown as Ticket;
const held: HeldTicket = {
  ticket,
  givenAt: '2026-03-04T12:00:00Z',
  unansweredSince: '2026-03-04T12:05:00Z',
  points: 1,
};
const team: Team = {
  members: [
    makeMember({ id: 1, name: 'Ana Prado', load: 7 }),
    makeMember({ id: 2, name: 'Bruno Sá' }),
    makeMember({ id: 3, name: 'Carla Reis', queues: [] }),
  ],
  waiting: [
    { queueId: 4, name: 'Vendas', color: '#3E7BD6', count: 2, since: '2026-03-04T12:00:00Z' },
  ],
  forSupervisors: [],
};
const Waited = ({ since }: { since: string }) => <time>{since}</time>;
let moves: unknown[] = [];
let answer = () => Response.json(ticket);

beforeEach(() => {
  moves = [];
  answer = () => Response.json(ticket);
  openSession({ token: 'token', user: makeSupervisor() });
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') {
      moves.push(JSON.parse(init.body as string));
      return Promise.resolve(answer());
    }
    if (url.includes('/tickets')) return Promise.resolve(Response.json([held]));
    return Promise.resolve(Response.json(team));
  });
});
afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

const open = () =>
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <TeamPage Waited={Waited} />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );

const rowOf = (name: string) =>
  screen.findByText(name).then((found) => found.closest('li') ?? found);

test('a person’s load, presence and tickets are shown', async () => {
  open();
  const row = await rowOf('Ana Prado');
  expect(within(row).getByRole('meter').getAttribute('aria-valuetext')).toBe('7 de 5');
  expect(row.textContent).toContain('Online');
  const user = userEvent.setup();
  await user.click(
    within(row).getByRole('button', { name: 'Mostrar os atendimentos de Ana Prado' }),
  );
  expect(await within(row).findByRole('group', { name: 'Iracema Luz' })).toBeTruthy();
});

test('that somebody who is online is out of their hours stands beside the presence', async () => {
  const { members } = team;
  team.members = [
    makeMember({ id: 1, name: 'Ana Prado', withinHours: false }),
    makeMember({ id: 2, name: 'Bruno Sá' }),
  ];
  open();
  expect((await rowOf('Ana Prado')).textContent).toContain('fora do horário');
  expect((await rowOf('Bruno Sá')).textContent).not.toContain('horário');
  team.members = members;
});

test('a ticket is moved by keys, past who does not work in its queue', async () => {
  open();
  const user = userEvent.setup();
  const row = await rowOf('Ana Prado');
  await user.click(
    within(row).getByRole('button', { name: 'Mostrar os atendimentos de Ana Prado' }),
  );
  const chip = await within(row).findByRole('group', { name: 'Iracema Luz' });
  const [handle] = within(chip).getAllByRole('button');
  handle?.focus();
  await user.keyboard(' ');
  expect(screen.getByText('Iracema Luz erguido, com Ana Prado.')).toBeTruthy();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(screen.getByText('Iracema Luz sobre Bruno Sá.')).toBeTruthy();
  await user.keyboard(' ');
  await waitFor(() => expect(moves).toEqual([{ ticketId: 40, fromUserId: 1, toUserId: 2 }]));
});

test('where the queue wants a note with each transfer, the page asks for it', async () => {
  const refusal = { code: 'ERR_TRANSFER_NOTE_REQUIRED', message: 'Falta o recado.' };
  answer = () => Response.json(refusal, { status: 400 });
  open();
  const user = userEvent.setup();
  const row = await rowOf('Ana Prado');
  await user.click(
    within(row).getByRole('button', { name: 'Mostrar os atendimentos de Ana Prado' }),
  );
  const chip = await within(row).findByRole('group', { name: 'Iracema Luz' });
  within(chip).getAllByRole('button')[0]?.focus();
  await user.keyboard(' {ArrowDown}{ArrowDown} ');
  const dialog = await screen.findByRole('dialog', { name: 'Iracema Luz para Bruno Sá' });
  await user.click(within(dialog).getByRole('button', { name: 'Entregar' }));
  expect(within(dialog).getByText('Esta fila pede um recado')).toBeTruthy();
  answer = () => Response.json(ticket);
  await user.type(within(dialog).getByLabelText(/Recado/), 'Prefere e-mail');
  await user.click(within(dialog).getByRole('button', { name: 'Entregar' }));
  const move = { ticketId: 40, fromUserId: 1, toUserId: 2 };
  await waitFor(() => expect(moves).toEqual([move, { ...move, note: 'Prefere e-mail' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('Escape leaves a lifted ticket where it is', async () => {
  open();
  const user = userEvent.setup();
  const row = await rowOf('Ana Prado');
  await user.click(
    within(row).getByRole('button', { name: 'Mostrar os atendimentos de Ana Prado' }),
  );
  const chip = await within(row).findByRole('group', { name: 'Iracema Luz' });
  within(chip).getAllByRole('button')[0]?.focus();
  await user.keyboard(' {ArrowDown}{Escape}');
  expect(screen.getByText('Iracema Luz ficou onde estava.')).toBeTruthy();
  expect(moves).toEqual([]);
});

test('a company that distributes nothing is told where to begin', async () => {
  openSession({ token: 'token', user: makeSupervisor(false) });
  open();
  expect(await screen.findByText('A distribuição automática está desligada.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Ir para Filas' }).getAttribute('href')).toBe('/queues');
});
