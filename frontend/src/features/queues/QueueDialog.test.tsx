import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { QueueDialog } from './QueueDialog';

let scheduleType: string;

beforeEach(() => {
  queryClient.clear();
  // The test DOM scrolls nothing.
  Element.prototype.scrollTo = vi.fn();
  // A wide screen, where the test stands beside the form.
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }));
  vi.stubGlobal('fetch', (input: string) =>
    Promise.resolve(
      Response.json(
        input.includes('/settings') ? [{ key: 'scheduleType', value: scheduleType }] : [],
      ),
    ),
  );
});

test.each([
  ['queue', ['Dados da Fila', 'Horários de Atendimento']],
  ['company', ['Dados da Fila']],
  ['disabled', ['Dados da Fila']],
])('with working hours %s a queue has the tabs %j', async (type, tabs) => {
  scheduleType = type;
  const { company } = makeUser();
  const settings = [{ key: 'scheduleType', value: type }] as typeof company.settings;
  openSession({ token: 'abc', user: makeUser({ company: { ...company, settings } }) });
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <QueueDialog queues={[]} onClose={vi.fn()} />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  );
  const list = (await screen.findAllByRole('tablist'))[0] as HTMLElement;
  expect(
    within(list)
      .getAllByRole('tab')
      .map(({ textContent }) => textContent),
  ).toEqual(tabs);
});
