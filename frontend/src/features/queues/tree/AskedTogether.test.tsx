import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { newOption, type OptionDraft } from '../drafts';
import type { QueueForm } from '../types';
import { AskedTogether } from './AskedTogether';
import { questionsFrom } from './questions';
import type { TreeCommands } from './useTree';

const question = (title: string, changes: Partial<OptionDraft> = {}): OptionDraft => ({
  ...newOption(),
  title,
  asks: 'name',
  ...changes,
});
const file = { name: 'a.pdf', mime: 'application/pdf', size: 1, address: '/a.pdf' };

const change = vi.fn();
let answer: { status: number; body: unknown };

beforeEach(() => {
  change.mockReset();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status })),
  );
});

function show(node: OptionDraft, queueId: number | null = 5) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <AskedTogether
          node={node}
          queueId={queueId}
          commands={{ change } as unknown as TreeCommands}
        />
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

const form = (changes: Partial<QueueForm>): QueueForm => ({
  optionId: 7,
  connectionId: 1,
  connectionName: 'Loja',
  state: 'form',
  reason: '',
  reasonCode: '',
  reasonDetail: '',
  ...changes,
});
const chain = () => question('Nome', { id: 7, children: [question('E-mail')] });

test('questions end where a menu, a file or no question follows', () => {
  const titles = (node: OptionDraft) => questionsFrom(node).map(({ title }) => title);
  expect(titles(chain())).toEqual(['Nome', 'E-mail']);
  expect(titles(question('A', { children: [question('B'), question('C')] }))).toEqual(['A']);
  expect(titles(question('A', { children: [question('B', { asks: '' })] }))).toEqual(['A']);
  expect(titles(question('A', { children: [question('B', { file })] }))).toEqual(['A']);
});

test('one question alone has no switch', () => {
  show(question('Nome'));
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('the switch names the questions and says that the numbers come with saving', async () => {
  show(chain(), null);
  screen.getByText(/um só formulário: Nome, E-mail/);
  await userEvent.click(screen.getByRole('checkbox', { name: /Perguntar tudo de uma vez/ }));
  expect(change).toHaveBeenCalledWith(expect.anything(), { asksTogether: true });
});

test('each number says how it asks, with the reason of a refusal', async () => {
  answer = {
    status: 200,
    body: [
      form({}),
      form({ connectionId: 2, connectionName: 'Celular', state: 'one_by_one' }),
      form({ connectionId: 3, connectionName: 'Nova', state: 'publishing' }),
      form({ connectionId: 4, connectionName: 'Filial', state: 'refused', reason: 'Não pode.' }),
      form({ connectionId: 5, connectionName: 'Matriz', state: 'stopped', reason: 'Bloqueado.' }),
      form({ optionId: 8, connectionName: 'Outra opção' }),
    ],
  };
  show({ ...chain(), asksTogether: true });
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Loja: em um formulário',
    'Celular: um a um, porque um número por QR Code não tem formulários',
    'Nova: um a um, até a Meta publicar o formulário',
    'Filial: um a um, porque a Meta recusou o formulário. Salvar a fila tenta de novo.Não pode.',
    'Matriz: um a um, enquanto o formulário está suspensoBloqueado.',
  ]);
});

test('a failed call can be repeated', async () => {
  answer = { status: 400, body: { error: 'ERR_REQUEST', message: 'Falhou.' } };
  show({ ...chain(), asksTogether: true });
  await screen.findByRole('alert');
  answer = { status: 200, body: [form({})] };
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  await screen.findByText('Loja');
});
