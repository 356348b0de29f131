import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { toaster } from '@/lib/toast';
import { openSession } from '@/stores/session';
import { giveRoom } from '@/test/room';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { DashboardPage } from './DashboardPage';
// Loaded in advance, because it takes long.
import './HoursBars';
import { makeBreakdown, makeDashboard, makeTags } from './testData';

let calls: string[];
let figures: () => Response | Promise<Response>;
let tags: () => Response | Promise<Response>;

beforeEach(() => {
  giveRoom();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  calls = [];
  figures = () => Response.json(makeDashboard());
  tags = () => Response.json(makeTags());
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  vi.stubGlobal('fetch', (input: string) => {
    const { pathname, search } = new URL(input, 'http://balcao.test');
    if (pathname.includes('/dashboard')) calls.push(pathname + search);
    if (pathname.endsWith('/breakdown')) return Promise.resolve(Response.json(makeBreakdown()));
    if (pathname.endsWith('/tags')) return Promise.resolve(tags());
    if (pathname.endsWith('/dashboard')) return Promise.resolve(figures());
    return Promise.resolve(Response.json([]));
  });
});

afterEach(() => vi.useRealTimers());

function open(onOpenTicket = vi.fn()) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <DashboardPage onOpenTicket={onOpenTicket} meters={null} deadlines={() => null} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return onOpenTicket;
}

const card = async (name: string) => {
  const term = await screen.findByText(name, { selector: 'dt span' });
  const holder = term.closest('div');
  return within(holder as HTMLElement).getByRole('definition');
};

test('it asks for the month a second after it opens, and no sooner', async () => {
  vi.useFakeTimers();
  open();
  await act(() => vi.advanceTimersByTimeAsync(990));
  expect(calls).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(calls[0]).toMatch(/\/dashboard\?date_from=\d{4}-\d\d-01&date_to=\d{4}-\d\d-\d\d$/);
});

test('figures, hours, attendants and what is behind them are shown', async () => {
  const onOpenTicket = open();
  await screen.findByText('Ana Prado');
  const words = '10:00: 1 atendimento; 11:00: 22 atendimentos';
  const chart = await screen.findByRole('img', { name: words });
  act(() => chart.focus());
  await userEvent.keyboard('{ArrowRight>10/}');
  const shown = await screen.findByText('22 atendimentos');
  expect(shown.parentElement?.textContent).toMatch(/^11:00/);
  expect((await card('Finalizados')).textContent).toBe('1.284');
  expect((await card('Atendimento médio')).textContent).toBe('23min');
  expect((await card('Espera média')).textContent).toBe('6,2min');
  expect(screen.getByText('1 de 2 online')).toBeDefined();
  const row = screen.getByRole('row', { name: /Ana Prado/ });
  expect(within(row).getByRole('img', { name: '2,7 de 3 estrelas' })).toBeDefined();
  expect(row.textContent).toContain('Online');
  expect(screen.getByRole('row', { name: /Bruno/ }).textContent).toContain('Offline');
  await userEvent.click(await screen.findByText('Abrir conversa'));
  expect(onOpenTicket).toHaveBeenCalledWith(makeBreakdown().waiting.oldest?.uuid);
  expect(screen.getByRole('row', { name: /Sem fila/ })).toBeDefined();
});

test('other days are asked for while the first are on their way', async () => {
  figures = () => new Promise<Response>(() => undefined);
  open();
  await screen.findByRole('button', { name: 'Filtrar', busy: true }, { timeout: 3000 });
  await userEvent.click(screen.getByRole('tab', { name: 'Por período' }));
  await userEvent.selectOptions(screen.getByLabelText('Período'), '30');
  await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }));
  await vi.waitFor(() => expect(calls).toContain('/api/dashboard?days=30'));
});

test('a period empties the dates, and without one nothing is asked', async () => {
  const told = vi.spyOn(toaster, 'create');
  open();
  await screen.findByText('Ana Prado');
  const before = calls.length;
  await userEvent.click(screen.getByRole('tab', { name: 'Por período' }));
  const first = screen.getByLabelText<HTMLInputElement>('Data inicial');
  expect([first.value, first.disabled]).toEqual(['', true]);
  await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }));
  expect(told.mock.lastCall?.[0].title).toBe('Parametrize o filtro');
  expect(calls.length).toBe(before);
  const period = screen.getByLabelText<HTMLSelectElement>('Período');
  expect([...period.options].map(({ value }) => value)).toEqual([
    '',
    '3',
    '7',
    '15',
    '30',
    '60',
    '90',
  ]);
  await userEvent.selectOptions(period, '30');
  await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }));
  await vi.waitFor(() => expect(calls).toContain('/api/dashboard?days=30'));
  await userEvent.click(screen.getByRole('tab', { name: 'Por data' }));
  expect(period.value).toBe('');
});

test('what does not come says why and is asked for again', async () => {
  figures = refused;
  open();
  const retry = await screen.findByText('Tentar de novo');
  figures = () => Response.json(makeDashboard());
  await userEvent.click(retry);
  expect((await card('Finalizados')).textContent).toBe('1.284');
});

const refused = () =>
  Response.json(
    { error: 'x', code: 'ERR_NO_PERMISSION', message: 'x', fields: {} },
    { status: 403 },
  );

const tagCalls = () => calls.filter((each) => each.includes('/dashboard/tags'));

test('tags are asked for when their tab is opened, for the days that are shown', async () => {
  open();
  await screen.findByText('Ana Prado');
  expect(tagCalls()).toEqual([]);
  let answer: (response: Response) => void = () => undefined;
  tags = () => new Promise<Response>((resolve) => (answer = resolve));
  await userEvent.click(screen.getByRole('tab', { name: 'Tags' }));
  await vi.waitFor(() => expect(tagCalls()).toHaveLength(1));
  expect(tagCalls()[0]?.split('?')[1]).toBe(calls[0]?.split('?')[1]);
  expect(screen.queryByRole('row', { name: /Urgente/ })).toBeNull();
  act(() => answer(Response.json(makeTags())));
  const row = await screen.findByRole('row', { name: /Urgente/ });
  expect(row.textContent).toContain('30');
});

test('tags that do not come say why, and none are told', async () => {
  tags = refused;
  open();
  await screen.findByText('Ana Prado');
  await userEvent.click(screen.getByRole('tab', { name: 'Tags' }));
  const retry = await screen.findByText('Tentar de novo');
  tags = () => Response.json([]);
  await userEvent.click(retry);
  expect(await screen.findByText('Nenhum atendimento com tag nestes dias.')).toBeDefined();
  tags = () => Response.json(makeTags());
  await userEvent.click(screen.getByRole('button', { name: 'Filtrar' }));
  expect(await screen.findByRole('row', { name: /Urgente/ })).toBeDefined();
});

test('figures open the conversations behind them, of the days that are asked for', async () => {
  const onOpenConversations = vi.fn();
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <DashboardPage
          onOpenTicket={vi.fn()}
          onOpenConversations={onOpenConversations}
          meters={null}
          deadlines={() => null}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const days = {
    dateFrom: expect.stringMatching(/-01$/) as string,
    dateTo: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
  };
  await userEvent.click(await screen.findByRole('button', { name: '1.284' }));
  expect(onOpenConversations).toHaveBeenLastCalledWith({ ...days, state: 'resolved' });
  await userEvent.click(await screen.findByRole('row', { name: /Ana Prado/ }));
  expect(onOpenConversations).toHaveBeenLastCalledWith({
    ...days,
    userId: String(makeDashboard().attendants.find(({ name }) => name === 'Ana Prado')?.id),
  });
  await userEvent.click(await screen.findByRole('row', { name: /Sem fila/ }));
  expect(onOpenConversations).toHaveBeenLastCalledWith({ ...days, queueId: '0' });
});
