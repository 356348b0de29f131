import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { tagKeys } from '@/features/tags/api';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import type { OptionDraft, OptionErrors } from '../drafts';
import type { Queue } from '../types';
import { OptionTree } from './OptionTree';

const option = (title: string, children: OptionDraft[] = []): OptionDraft => ({
  key: title,
  title,
  message: '',
  redirectionQueueId: null,
  tagId: null,
  asks: '',
  asksField: '',
  asksTogether: false,
  file: null,
  children,
});
const queues = [
  { id: 4, name: 'Entregas', color: '#7A5BD0' },
  { id: 5, name: 'Trocas', color: '#E0763A' },
] as Queue[];

let latest: OptionDraft[];

interface GivenProps {
  options: OptionDraft[];
  errors?: OptionErrors;
  testedKey?: string | null;
  attempt?: number;
}

function Given({ options, ...rest }: GivenProps) {
  const [value, setValue] = useState(options);
  return (
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <OptionTree
          value={value}
          onChange={(options) => {
            latest = options;
            setValue(options);
          }}
          queues={queues}
          currentQueueId={5}
          {...rest}
        />
      </QueryClientProvider>
    </ChakraProvider>
  );
}

const row = (name: RegExp | string) => screen.getByRole('treeitem', { name });
const shape = (options: readonly OptionDraft[]): string =>
  options
    .map(({ title, children }) => title + (children.length ? `(${shape(children)})` : ''))
    .join();

beforeEach(() => {
  latest = [];
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('[]')));
  openSession({ token: 'abc', user: makeUser() });
});

test('an empty menu grows by typing titles one after the other', async () => {
  render(<Given options={[]} />);
  await userEvent.click(screen.getByRole('button', { name: 'Adicionar a primeira opção' }));
  await userEvent.keyboard('Defeito{Enter}Prazo');
  expect(shape(latest)).toBe('Defeito,Prazo');
  expect(row(/1 Defeito, espera um atendente/).getAttribute('aria-setsize')).toBe('2');
});

test('arrows walk, open and close', async () => {
  render(<Given options={[option('A', [option('B')]), option('C')]} />);
  row(/1 A/).focus();
  expect(row(/1 A/).getAttribute('aria-expanded')).toBe('false');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(row(/1.1 B/));
  expect(row(/1.1 B/).getAttribute('aria-level')).toBe('2');
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(row(/2 C/));
  await userEvent.keyboard('{Home}{ArrowLeft}');
  expect(screen.queryByRole('treeitem', { name: /B/ })).toBeNull();
});

test('Alt and the arrows move a row, which keeps the focus', async () => {
  render(<Given options={[option('A'), option('B'), option('C')]} />);
  row(/2 B/).focus();
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(shape(latest)).toBe('B,A,C');
  await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowRight}{/Alt}');
  expect(shape(latest)).toBe('A(B),C');
  expect(document.activeElement).toBe(row(/1.1 B/));
  expect(screen.getByText('B agora é a opção 1.1, dentro de A.')).toBeTruthy();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(shape(latest)).toBe('A,B,C');
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(screen.getByText('Esta opção já está no primeiro nível.')).toBeTruthy();
});

test('what was deleted comes back to its place', async () => {
  render(<Given options={[option('A'), option('B', [option('C')]), option('D')]} />);
  row(/2 B/).focus();
  await userEvent.keyboard('{Delete}');
  expect(shape(latest)).toBe('A,D');
  expect(screen.getByText('B e uma subopção foram excluídas.')).toBeTruthy();
  expect(document.activeElement).toBe(row(/2 D/));
  await userEvent.click(screen.getByRole('button', { name: 'Desfazer' }));
  expect(shape(latest)).toBe('A,B(C),D');
});

test('an option leads to another queue, and no longer when it gets options of its own', async () => {
  render(<Given options={[option('A')]} />);
  await userEvent.click(screen.getByText('A'));
  const after = screen.getByRole('combobox', { name: 'Depois da resposta' });
  expect(within(after).queryByText('Transferir para Trocas')).toBeNull();
  await userEvent.selectOptions(after, 'Transferir para Entregas');
  expect(latest[0]?.redirectionQueueId).toBe(4);
  await userEvent.click(screen.getByRole('button', { name: 'Ver como o cliente vê' }));
  expect(screen.getByText('Entregas', { selector: 'strong' })).toBeTruthy();
  const [add] = screen.getAllByRole('button', { name: 'Adicionar subopção' });
  if (add) await userEvent.click(add);
  expect(latest[0]?.redirectionQueueId).toBeNull();
  expect(screen.getByText('A agora mostra opções, em vez de transferir.')).toBeTruthy();
});

test('an eleventh level is refused in words', async () => {
  const names = 'ABCDEFGHIJ'.split('');
  const [deep] = names.reduceRight<OptionDraft[]>((below, name) => [option(name, below)], []);
  render(<Given options={deep ? [option('Z'), deep] : []} />);
  row(/2 A/).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  expect(screen.getByText('O menu pode ter no máximo 10 níveis.')).toBeTruthy();
  expect(latest).toEqual([]);
});

test('what is wrong is opened and says so at its field', () => {
  render(
    <Given
      options={[option('A', [option('B')])]}
      errors={{ B: { message: 'Texto longo demais.' } }}
    />,
  );
  expect(row(/1.1 B, espera um atendente, precisa de correção/)).toBeTruthy();
  expect(screen.getByText('Texto longo demais.')).toBeTruthy();
});

test('the row where the test stands is shown and marked', () => {
  const options = [option('A', [option('B')])];
  const { rerender } = render(<Given options={options} />);
  expect(screen.queryByRole('treeitem', { name: /B/ })).toBeNull();
  rerender(<Given options={options} testedKey="B" />);
  expect(row(/1.1 B, o teste está aqui, espera um atendente/)).toBeTruthy();
});

test('an attempt to save leads to what is wrong, each time anew', () => {
  const options = [option('A', [option('B')]), option('C')];
  const errors = { B: { message: 'Longa demais.' } };
  const { rerender } = render(<Given options={options} />);
  rerender(<Given options={options} errors={errors} attempt={1} />);
  const message = screen.getByRole('textbox', { name: 'Mensagem' });
  expect(document.activeElement).toBe(message);
  row(/2 C/).focus();
  rerender(<Given options={options} errors={errors} attempt={2} />);
  expect(document.activeElement).toBe(message);
});

test('the only option goes and comes back by the keyboard', async () => {
  render(<Given options={[option('A')]} />);
  row(/1 A/).focus();
  await userEvent.keyboard('{Delete}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Desfazer' }));
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(row(/1 A/));
});

test('a leaf without words says what the bot will say for it', async () => {
  const leaf = { ...option('Endereço'), redirectionQueueId: 4 };
  render(<Given options={[option('Cardápio', [option('Pizzas')]), leaf]} />);
  await userEvent.click(within(row(/Cardápio/)).getByText('Cardápio'));
  expect(screen.queryByText(/Sem mensagem, o bot diz/)).toBeNull();
  await userEvent.click(within(row(/Endereço/)).getByText('Endereço'));
  const message = screen.getByRole('textbox', { name: 'Mensagem' });
  screen.getByText('Sem mensagem, o bot diz: “Certo! Um momento, por favor.”');
  await userEvent.selectOptions(screen.getByLabelText('Depois da resposta'), '');
  screen.getByText(/Sem mensagem, o bot diz a da conexão/);
  await userEvent.type(message, 'Rua das Flores, 10');
  expect(screen.queryByText(/Sem mensagem, o bot diz/)).toBeNull();
});

test('an option sets a tag, and says when it is gone', async () => {
  queryClient.setQueryData(tagKeys.all, [{ id: 7, name: 'Reclamação' }]);
  render(<Given options={[{ ...option('Defeito'), tagId: 9 }]} />);
  await userEvent.click(within(row(/Defeito/)).getByText('Defeito'));
  const tag = screen.getByLabelText('Tag');
  within(tag).getByText('tag excluída');
  await userEvent.selectOptions(tag, 'Reclamação');
  expect(latest[0]?.tagId).toBe(7);
  await userEvent.selectOptions(tag, '');
  expect(latest[0]?.tagId).toBeNull();
});

test('an option carries a file, which the preview shows above its words', async () => {
  URL.createObjectURL = () => 'blob:1';
  URL.revokeObjectURL = () => undefined;
  render(<Given options={[option('Tabela')]} />);
  await userEvent.click(within(row(/Tabela/)).getByText('Tabela'));
  const file = new File(['x'], 'tabela.pdf', { type: 'application/pdf' });
  await userEvent.upload(screen.getByTestId('message-file'), file);
  expect(latest[0]?.file).toMatchObject({ name: 'tabela.pdf', file });
  row(/arquivo tabela.pdf/);
  screen.getByText(/Vai com a mensagem, como legenda/);
  await userEvent.click(screen.getByLabelText('Mensagem'));
  await userEvent.paste('Veja https://casa.com.br/tabela');
  screen.getByText('Um link escrito na mensagem abre com um toque.');
  await userEvent.click(screen.getByRole('button', { name: 'Ver como o cliente vê' }));
  const preview = screen.getByRole('region', { name: 'Ver como o cliente vê' });
  within(preview).getByText('tabela.pdf');
  // The preview renders the address as a link, apart from the text.
  within(preview).getByText('https://casa.com.br/tabela');
  await userEvent.click(screen.getByRole('button', { name: /Remover/ }));
  expect(latest[0]?.file).toBeNull();
});

test('an option asks for a value and says where it is kept', async () => {
  render(<Given options={[option('Meu pedido')]} />);
  await userEvent.click(within(row(/Meu pedido/)).getByText('Meu pedido'));
  expect(screen.queryByLabelText(/Guardar em/)).toBeNull();
  const asks = screen.getByLabelText('Pedir um dado');
  await userEvent.selectOptions(asks, 'CPF');
  expect(latest[0]).toMatchObject({ asks: 'cpf', asksField: 'CPF' });
  screen.getByText('Sem mensagem, o bot pergunta: “Qual é o seu CPF?”');
  row(/pergunta: CPF/);
  await userEvent.click(screen.getByRole('button', { name: 'Ver como o cliente vê' }));
  screen.getByText('A resposta fica no contato, em CPF');
  await userEvent.selectOptions(asks, 'E-mail');
  expect(latest[0]).toMatchObject({ asks: 'email', asksField: '' });
  screen.getByText('A resposta fica no contato, em E-mail do contato');
  await userEvent.type(screen.getByLabelText('Pergunta'), 'E seu e-mail?');
  expect(screen.queryByText(/Sem mensagem/)).toBeNull();
  await userEvent.selectOptions(asks, '');
  expect(latest[0]).toMatchObject({ asks: '', asksField: '' });
});
