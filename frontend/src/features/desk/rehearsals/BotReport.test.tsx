import { ChakraProvider } from '@chakra-ui/react';
import { cleanup, render, screen, within } from '@testing-library/react';
import i18n from 'i18next';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { system } from '@/theme';
import { botLines } from './BotReport';
import { Report } from './Report';
import { BOT, REHEARSAL, REPORT } from './testData';
import type { RehearsalBotSample } from './types';

afterEach(cleanup);

test('both menus stand beside each other, with where contacts stop', () => {
  render(
    <ChakraProvider value={system}>
      <MemoryRouter>
        <Report
          rehearsal={{ ...REHEARSAL, subject: 'bot' }}
          report={{ ...REPORT, bot: BOT }}
          steps={0}
        />
      </MemoryRouter>
    </ChakraProvider>,
  );
  const figures = screen.getByRole('table', { name: 'O que aconteceu e o que teria acontecido' });
  const head = within(figures).getAllByRole('columnheader');
  expect(head.map(({ textContent }) => textContent)).toEqual([
    'Medida',
    'Menu de hoje',
    'Menu novo',
  ]);
  const row = (name: RegExp) => within(figures).getByRole('row', { name }).textContent;
  expect(row(/^Chegaram a pessoas/)).toBe('Chegaram a pessoas700650');
  expect(row(/nunca viu/)).toMatch(/0120$/);
  // What does not occur is not there.
  expect(within(figures).queryByText(/: IA/)).toBeNull();
  expect(row(/^Passos/)).toMatch(/32$/);
  expect(screen.getByRole('row', { name: 'Sem fila 100 10' })).toBeTruthy();
  const stops = screen.getByRole('table', { name: 'Onde pararam' });
  expect(within(stops).getByRole('row', { name: 'Vendas 40 5' })).toBeTruthy();
  expect(screen.getByText(/120 chegariam a um menu .*: Vendas › Preços › Atacado/)).toBeTruthy();
});

test('a sample says where the conversation goes by each menu', () => {
  const outcome = { queueId: null, queueName: null, steps: null, unknown: '', node: null } as const;
  const place = { queueId: 4, queueName: 'Vendas', path: '' };
  const lines = (sample: RehearsalBotSample) =>
    botLines(sample, i18n.getFixedT('pt', ['rehearsals', 'deadlines']));
  expect(
    lines({
      before: { ...outcome, end: 'people', queueId: 4, queueName: 'Vendas', steps: 2 },
      after: { ...outcome, end: 'bot', node: place },
    }),
  ).toEqual(['Menu de hoje: Vendas, em 2 passos', 'Menu novo: parou em Vendas']);
  expect(
    lines({
      before: { ...outcome, end: 'not_begun' },
      after: {
        ...outcome,
        end: 'undecided',
        unknown: 'unseen',
        node: { queueId: null, queueName: null, path: '' },
      },
    }),
  ).toEqual([
    'Menu de hoje: o bot não começou',
    'Menu novo: menu que o contato nunca viu: Menu de filas',
  ]);
});
