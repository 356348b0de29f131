import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm, useWatch } from 'react-hook-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { newOption, type QueueDraft } from '../drafts';
import type { TypebotMenu } from './api';
import { TypebotImport } from './TypebotImport';

const MENU: TypebotMenu = {
  name: 'Loja',
  greetingMessage: 'Olá!',
  options: [
    {
      title: 'Pedido',
      message: 'Qual o número?',
      asks: 'number',
      asksField: 'Pedido',
      asksTogether: false,
      children: [],
    },
  ],
  blocks: [
    { group: 'Início', kind: 'text', excerpt: 'Olá!', outcome: 'taken', reason: '' },
    { group: 'Início', kind: 'condition', excerpt: '', outcome: 'left_out', reason: 'condition' },
  ],
};

let answer: () => Response;
let sent: unknown[];

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
/** jsdom's files have no `text()`. */
const file = (text: string) =>
  Object.assign(new File([text], 'fluxo.json', { type: 'application/json' }), {
    text: () => Promise.resolve(text),
  });

function Editor() {
  const form = useForm<QueueDraft>({
    defaultValues: { greetingMessage: '', options: [{ ...newOption(), title: 'Antiga' }] },
  });
  const [greeting, options] = useWatch({
    control: form.control,
    name: ['greetingMessage', 'options'],
  });
  return (
    <>
      <TypebotImport form={form} onTaken={() => undefined} />
      <p data-testid="draft">
        {greeting} {options.map(({ title, asks }) => `${title}:${asks}`).join()}
      </p>
    </>
  );
}

async function choose(chosen: File) {
  render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <Editor />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Importar do Typebot' }));
  const input = await screen.findByLabelText('Escolher arquivo', { selector: 'input' });
  await userEvent.upload(input, chosen);
}

beforeEach(() => {
  sent = [];
  answer = () => json(MENU);
  queryClient.clear();
  vi.stubGlobal(
    'fetch',
    vi.fn(async (address: string, init?: { body?: string }) => {
      await Promise.resolve();
      // A session that opens asks for its own things, too.
      if (!address.endsWith('/typebot-flow')) return json({});
      sent.push(JSON.parse(init?.body ?? 'null'));
      return answer();
    }),
  );
  openSession({ token: 'abc', user: makeUser() });
});

test('a flow is previewed with its report and becomes the draft', async () => {
  await choose(file('{"version":"6.1"}'));
  const preview = await screen.findByRole('region', { name: 'O menu que resulta' });
  expect(within(preview).getByText('Pedido')).toBeTruthy();
  expect(screen.getByText(/Não há condições aqui/)).toBeTruthy();
  expect(screen.getByText('A opção de agora é substituída.')).toBeTruthy();
  expect(sent).toEqual([{ flow: { version: '6.1' } }]);
  expect(screen.getByTestId('draft').textContent).toContain('Antiga:');
  await userEvent.click(screen.getByRole('button', { name: 'Usar como rascunho' }));
  expect(screen.getByTestId('draft').textContent).toContain('Olá! Pedido:number');
});

test('a file that is no JSON is refused before it is sent', async () => {
  await choose(file('Oi'));
  expect((await screen.findByRole('alert')).textContent).toContain('O arquivo não é JSON');
  expect(sent).toEqual([]);
});

test('what the server refuses is said', async () => {
  answer = () => json({ error: 'Só as versões 3 a 6.1.', code: 'ERR_TYPEBOT_FLOW' }, 400);
  await choose(file('{}'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/Typebot|3 a 6.1/);
  const take = screen.getByRole<HTMLButtonElement>('button', { name: 'Usar como rascunho' });
  expect(take.disabled).toBe(true);
});

test('a flow of which nothing fits says so', async () => {
  answer = () => json({ ...MENU, options: [] });
  await choose(file('{}'));
  expect(await screen.findByText('Nada deste fluxo cabe em um menu')).toBeTruthy();
});
