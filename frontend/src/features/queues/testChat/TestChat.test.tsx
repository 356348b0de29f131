import { ChakraProvider } from '@chakra-ui/react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import type { QueueDraft } from '../drafts';
import type { TestAnswer, TestEffect } from './api';
import { TestChat } from './TestChat';

const DRAFT: QueueDraft = {
  name: 'Vendas',
  color: '#3E7BD6',
  orderQueue: null,
  greetingMessage: '',
  completionMessage: '',
  outOfHoursMessage: 'Abrimos às 9h.',
  ratingMessage: '',
  expireChat: false,
  asksTransferNote: false,
  schedules: [],
  integrationId: null,
  promptId: null,
  options: [],
};

/** The test beside two fields of its form. */
function Beside() {
  const form = useForm<QueueDraft>({ defaultValues: DRAFT });
  return (
    <>
      <input aria-label="Saudação" {...form.register('greetingMessage')} />
      <input aria-label="Conclusão" {...form.register('completionMessage')} />
      <TestChat form={form} queueId={null} onNode={() => undefined} />
    </>
  );
}

let effects: TestEffect[];

beforeEach(() => {
  effects = [];
  Element.prototype.scrollTo = () => undefined;
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', () => {
    const answer = { messages: [], effects, optionId: null, state: {} } as unknown as TestAnswer;
    return Promise.resolve(new Response(JSON.stringify(answer)));
  });
});

async function expectTold(effect: TestEffect, words: string) {
  effects = [effect];
  render(
    <ChakraProvider value={system}>
      <Beside />
    </ChakraProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Começar o teste' }));
  const log = screen.getByRole('log', { name: 'Conversa de teste' });
  await waitFor(() => expect(log.textContent).toContain(words));
}

test.each([
  ['fallback', 'Sem fila escolhida, o atendimento iria para Financeiro'],
  ['closed', 'Fora do horário, o atendimento esperaria em Financeiro'],
  ['single', 'A única fila do número: o atendimento entra direto em Financeiro'],
  ['', 'O atendimento iria para Financeiro'],
])('into a queue by way of %j', async (reason, words) => {
  await expectTold({ kind: 'queue', queueName: 'Financeiro', reason }, words);
});

test('closed, nobody is there', async () => {
  await expectTold({ kind: 'closed' }, 'Fora do horário: ninguém atende neste momento');
});

test('where an integration would leave the conversation, and with which words', async () => {
  const left: TestEffect = {
    kind: 'left',
    queueId: 3,
    queueName: 'Financeiro',
    value: 'Um momento, por favor.',
    minutes: 1440,
  };
  await expectTold(
    left,
    'Se não conseguir responder, terminar ou ficar 1.440 min em silêncio, o atendimento espera em Financeiro',
  );
  const log = screen.getByRole('log', { name: 'Conversa de teste' });
  expect(log.textContent).toContain('O cliente recebe: Um momento, por favor.');
  // Reported once, however many messages follow; reported again if it changes.
  const answer = async (text: string, effect: TestEffect) => {
    effects = [{ kind: 'integration', name: 'Robô' }, effect];
    await userEvent.type(screen.getByPlaceholderText('Responda como cliente'), `${text}{Enter}`);
    await waitFor(() => expect(log.textContent).toContain(text));
    await waitFor(() => expect(log.getAttribute('aria-busy')).toBe('false'));
  };
  await answer('Oi', left);
  expect(log.textContent.match(/espera em/g)).toHaveLength(1);
  await answer('E agora?', { ...left, queueName: 'Vendas' });
  expect(log.textContent.match(/espera em/g)).toHaveLength(2);
});

test('where a prompt hands over', async () => {
  await expectTold(
    { kind: 'left', queueName: 'Vendas', value: '', reason: 'handed_over' },
    'Se passar para uma pessoa, o atendimento vai para Vendas',
  );
  const log = screen.getByRole('log', { name: 'Conversa de teste' });
  expect(log.textContent).not.toContain('O cliente recebe');
});

test('what is written while the bot still answers goes after its answer', async () => {
  const asked: string[] = [];
  let answer: () => void = () => undefined;
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    asked.push((JSON.parse(body as string) as { text: string }).text);
    return new Promise<Response>((resolve) => {
      answer = () =>
        resolve(
          new Response(JSON.stringify({ messages: [], effects: [], optionId: null, state: {} })),
        );
    });
  });
  render(
    <ChakraProvider value={system}>
      <Beside />
    </ChakraProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Começar o teste' }));
  const field = screen.getByPlaceholderText<HTMLInputElement>('Responda como cliente');
  await userEvent.type(field, 'financeiro{Enter}');
  expect(field.value).toBe('');
  expect(asked).toEqual(['']);
  answer();
  await waitFor(() => expect(asked).toEqual(['', 'financeiro']));
  answer();
  const log = screen.getByRole('log', { name: 'Conversa de teste' });
  await waitFor(() => expect(log.getAttribute('aria-busy')).toBe('false'));
});

test('a change of what the bot reads is told, until it is undone', async () => {
  render(
    <ChakraProvider value={system}>
      <Beside />
    </ChakraProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Começar o teste' }));
  const log = screen.getByRole('log', { name: 'Conversa de teste' });
  await waitFor(() => expect(log.getAttribute('aria-busy')).toBe('false'));
  const told = () => screen.queryByText('A fila mudou desde o começo do teste.');
  await userEvent.type(screen.getByLabelText('Conclusão'), 'Até logo');
  expect(told()).toBeNull();
  const greeting = screen.getByLabelText('Saudação');
  await userEvent.type(greeting, 'Oi');
  expect(told()).not.toBeNull();
  await userEvent.clear(greeting);
  expect(told()).toBeNull();
});

test('a form is filled in and sent at once', async () => {
  const bodies: { form?: unknown; text: string }[] = [];
  const questions = [
    { optionId: 'a', asks: 'name', title: 'Nome', text: 'Qual?' },
    { optionId: 'b', asks: 'text', title: 'Motivo', text: '' },
  ];
  const shown = { body: 'Seu nome?', choices: [], asList: false, mediaName: '', fileOf: '' };
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body) as (typeof bodies)[number]);
    const messages = [{ ...shown, form: { first: 'a', title: 'Cadastro', questions } }];
    return Promise.resolve(
      new Response(JSON.stringify({ messages, effects, optionId: null, state: {} })),
    );
  });
  render(
    <ChakraProvider value={system}>
      <Beside />
    </ChakraProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Começar o teste' }));
  await userEvent.type(await screen.findByLabelText('Nome'), 'Ana');
  expect(
    screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar formulário' }).disabled,
  ).toBe(true);
  await userEvent.type(screen.getByLabelText('Motivo'), 'Troca');
  await userEvent.click(screen.getByRole('button', { name: 'Enviar formulário' }));
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]?.form).toEqual({ first: 'a', values: { a: 'Ana', b: 'Troca' } });
  expect(bodies[1]?.text).toBe('Nome: Ana\nMotivo: Troca');
});
