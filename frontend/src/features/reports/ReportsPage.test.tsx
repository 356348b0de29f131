import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Permission } from '@/lib/permissions';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { giveRoom } from '@/test/room';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { ReportsPage } from './ReportsPage';
import { makeActivity, makeConversation, makeFigures, makePage } from './testData';

let calls: string[];
let answers: Record<string, () => Response>;

beforeEach(() => {
  giveRoom();
  openSession({ token: 'token', user: makeUser() });
  calls = [];
  answers = {
    '/reports/figures': () => Response.json(makeFigures()),
    '/reports/conversations': () => Response.json(makePage([makeConversation()])),
    '/reports/activity': () => Response.json(makeActivity()),
    '/queue': () => Response.json([{ id: 4, name: 'Vendas', color: '#123456' }]),
    '/users/list': () => Response.json([{ id: 9, name: 'Ana Prado', queues: [] }]),
  };
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (url: string) => {
    const { pathname, search } = new URL(url, 'http://x');
    const path = pathname.replace(/^.*\/api/, '').replace(/\/$/, '');
    if (path.startsWith('/reports')) calls.push(path + search);
    return Promise.resolve(answers[path]?.() ?? Response.json([]));
  });
});

afterEach(() => {
  cleanup();
  closeSession();
  queryClient.clear();
});

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

function open(query = '') {
  const onOpenTicket = vi.fn();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[`/reports${query}`]}>
          <ReportsPage onOpenTicket={onOpenTicket} />
          <Address />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { onOpenTicket, user: userEvent.setup() };
}

const address = () => screen.getByLabelText('address').textContent;

test('figures are shown in words, and each opens its conversations', async () => {
  const { user } = open('?queueId=4');
  const cards = await screen.findByRole('group', { name: 'Indicadores' });
  await within(cards).findByText('1.284');
  expect(within(cards).getByText('1 min')).toBeDefined();
  expect(within(cards).getByText('1 h 20 min')).toBeDefined();
  expect(within(cards).getByText('1 d 3 h')).toBeDefined();
  expect(within(cards).getByText('2,67')).toBeDefined();
  const bands = screen.getByRole('region', { name: 'Primeira resposta' });
  await user.click(within(bands).getByRole('link', { name: /^15 min a 1 hora/ }));
  expect(address()).toBe('/reports?tab=conversations&queueId=4&band=1h');
  await screen.findByText('Maria Silva');
  expect(calls.at(-1)).toBe('/reports/conversations?queueId=4&band=1h');
  await user.click(screen.getByRole('button', { name: /^Tirar o filtro 1ª resposta/ }));
  await waitFor(() => expect(address()).toBe('/reports?tab=conversations&queueId=4'));
});

test('a filter that is taken away gives the focus to the next one, else to the one before', async () => {
  const { user } = open('?tab=conversations&band=1h&reason=Venda&accepted=true');
  const remove = (name: RegExp) => screen.findByRole('button', { name });
  const reason = await remove(/^Tirar o filtro.*Venda/);
  await user.click(await remove(/^Tirar o filtro 1ª resposta/));
  expect(document.activeElement).toBe(reason);
  (await remove(/^Tirar o filtro(?!.*Venda)/)).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(reason);
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByLabelText('Avaliação'));
  await waitFor(() => expect(address()).toBe('/reports?tab=conversations'));
});

test('ratings and reasons open theirs, also those without', async () => {
  open();
  const link = async (name: RegExp) =>
    (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await link(/^Muito satisfeito/)).toContain('rating=3');
  expect(await link(/^Não avaliou/)).toContain('rating=unanswered');
  expect(await link(/^Venda/)).toContain('reason=Venda');
  expect(await link(/^Sem motivo/)).toContain('withoutReason=true');
});

test('hours are one stop of the tab key, and arrows walk to those that have some', async () => {
  const { user } = open();
  const monday = await screen.findByRole('link', { name: 'segunda-feira, 9 h: 40 conversas' });
  expect(monday.tabIndex).toBe(0);
  const later = screen.getByRole('link', { name: 'segunda-feira, 14 h: 1 conversa' });
  expect(later.tabIndex).toBe(-1);
  monday.focus();
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(later);
  await user.keyboard('{ArrowLeft}{ArrowDown}');
  expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^quarta-feira, 9 h/);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(address()).toBe('/reports?tab=conversations&weekday=3&hour=9');
});

test('a row tells times and costs and opens its conversation', async () => {
  const { onOpenTicket, user } = open('?tab=conversations');
  const row = await screen.findByRole('row', { name: /Maria Silva/ });
  expect(row.textContent).toContain('+55 11 98432-1100');
  expect(row.textContent).toContain('5 min');
  expect(row.textContent).toContain('4 / 6');
  expect(row.textContent.replace(/\s/g, ' ')).toContain('R$ 0,35');
  await user.click(row);
  expect(onOpenTicket).toHaveBeenCalledWith(makeConversation().uuid);
});

test('a group is told by its name alone', async () => {
  const group = makeConversation({
    contactName: 'Condomínio Sol',
    number: '120363041234567890@g.us',
  });
  answers['/reports/conversations'] = () => Response.json(makePage([group]));
  open('?tab=conversations');
  const row = await screen.findByRole('row', { name: /^Condomínio Sol/ });
  expect(row.textContent).not.toContain('120363041234567890');
});

test('who exports no contacts is offered no file of conversations', async () => {
  open('?tab=conversations');
  await screen.findByRole('row', { name: /Maria Silva/ });
  expect(screen.getByRole('button', { name: 'CSV' })).toBeDefined();
  cleanup();
  openSession({ token: 'token', user: makeUser({ granted: ['reports:own'] }) });
  open('?tab=conversations');
  await screen.findByRole('row', { name: /Maria Silva/ });
  expect(screen.queryByRole('button', { name: 'CSV' })).toBeNull();
});

test('filters narrow what is asked, and the days are those of the answer', async () => {
  const { user } = open();
  await screen.findByText('1.284');
  expect(screen.getByLabelText<HTMLInputElement>('De').value).toBe('01/06/2026');
  await user.selectOptions(await screen.findByLabelText('Pessoa'), 'Ana Prado');
  await waitFor(() => expect(calls.at(-1)).toBe('/reports/figures?userId=9'));
  await user.selectOptions(screen.getByLabelText('Tempos'), 'Só horário de atendimento');
  await waitFor(() => expect(calls.at(-1)).toBe('/reports/figures?userId=9&clock=open'));
  await user.selectOptions(screen.getByLabelText('Período'), 'Hoje');
  await waitFor(() => expect(calls.at(-1)).toMatch(/dateFrom=(.{10})&dateTo=\1&userId=9/));
});

test('who reports on the own ones alone is offered nobody, also by the address', async () => {
  openSession({ token: 'token', user: makeUser({ granted: ['reports:own'] }) });
  open('?userId=9');
  await screen.findByText('1.284');
  expect(screen.queryByLabelText('Pessoa')).toBeNull();
  expect(calls).toEqual(['/reports/figures']);
});

test('who reports on queues is offered the people of these for their days', async () => {
  const queue = (id: number) => ({
    id,
    name: 'Vendas',
    color: '#123456',
    UserQueue: { userId: 9, queueId: id },
  });
  answers['/users/list'] = () =>
    Response.json([
      { id: 7, name: 'Camila Duarte', queues: [] },
      { id: 9, name: 'Ana Prado', queues: [queue(4)] },
      { id: 10, name: 'Pia Reis', queues: [queue(5)] },
    ]);
  const granted: Permission[] = ['reports:own', 'reports:queue'];
  openSession({ token: 'token', user: makeUser({ granted, queues: [queue(4)] }) });
  const offered = async () => {
    await screen.findByRole('option', { name: 'Ana Prado' });
    const field = screen.getByLabelText('Pessoa');
    return within(field)
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
  };
  // A day is always somebody's.
  open('?tab=activity&userId=0');
  expect(await offered()).toEqual(['Todas', 'Camila Duarte', 'Ana Prado']);
  expect(calls).toEqual(['/reports/activity']);
  cleanup();
  // A conversation of the queue may be with anybody.
  open('?tab=conversations');
  expect(await offered()).toEqual(['Todas', 'Camila Duarte', 'Ana Prado', 'Pia Reis', 'Ninguém']);
});

test('days of people tell presence, and a person leads to their conversations', async () => {
  const { user } = open('?tab=activity');
  const row = await screen.findByRole('row', { name: /Ana Prado/ });
  expect(row.textContent).toContain('8 h 0 min');
  expect(row.textContent).toContain('Almoço 1 h 0 min · Sem motivo 5 min');
  await user.click(within(row).getByText('Ana Prado'));
  expect(address()).toBe(
    '/reports?tab=conversations&dateFrom=2026-06-10&dateTo=2026-06-10&userId=9',
  );
});

test('a narrow row of a person tells messages, and no presence that there was not', async () => {
  const [day] = makeActivity().days;
  answers['/reports/activity'] = () =>
    Response.json({
      ...makeActivity(),
      days: [day, { ...day, userId: 10, userName: 'Bia Reis', onlineSeconds: 0 }],
    });
  open('?tab=activity');
  const shown = async (name: RegExp) =>
    [
      ...(await screen.findByRole('row', { name })).querySelectorAll('td[data-line], td[data-end]'),
    ].map((cell) => cell.textContent);
  expect(await shown(/Ana Prado/)).toEqual(['10/06/2026', '8 h 0 min', '120Mensagens']);
  expect(await shown(/Bia Reis/)).toEqual(['10/06/2026', '120Mensagens']);
});

test('what a person did on a day opens the conversations in which it was done', async () => {
  // Days of people know no queue.
  const { user } = open('?tab=activity&userId=9&queueId=4');
  const row = await screen.findByRole('row', { name: /Ana Prado/ });
  await user.click(within(row).getByRole('link', { name: /^120/ }));
  expect(address()).toBe(
    '/reports?tab=conversations&dateFrom=2026-06-10&dateTo=2026-06-10&workedBy=9',
  );
  await user.click(await screen.findByRole('button', { name: /Trabalho de Ana Prado/ }));
  expect(address()).not.toContain('workedBy');
});

test('a mean opens the conversations of which it is made', async () => {
  open();
  const link = async (name: RegExp) =>
    (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await link(/^Espera/)).toContain('accepted=true');
  expect(await link(/^Primeira resposta/)).toContain('answered=true');
});

test('days without conversations say so', async () => {
  answers['/reports/figures'] = () => Response.json(makeFigures({ conversations: 0 }));
  open();
  await screen.findByRole('heading', { name: 'Nenhuma conversa nestes dias.' });
});

test('a failure is told and tried again', async () => {
  answers['/reports/figures'] = () =>
    Response.json(
      { error: 'Escolha no máximo 366 dias.', code: 'ERR_INVALID_INPUT' },
      { status: 400 },
    );
  const { user } = open();
  const again = await screen.findByRole('button', { name: 'Tentar de novo' });
  answers['/reports/figures'] = () => Response.json(makeFigures());
  await user.click(again);
  await screen.findByText('1.284');
});
