import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { system } from '@/theme';
import { MessageRow, type RowHandlers } from './MessageRow';
import { makeMessage } from './testData';
import type { Message } from './types';

beforeEach(() => openSession({ token: 'abc', user: makeUser() }));

function show(changes: Partial<Message>): HTMLElement {
  const nothing = () => undefined;
  const handlers = {
    ticketId: 50,
    canWrite: true,
    canSendTemplates: true,
    isGroup: false,
    onReply: nothing,
    onJump: nothing,
    onOpenMedia: nothing,
  } as unknown as RowHandlers;
  return render(
    <ChakraProvider value={system}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <MessageRow
            message={makeMessage(1, changes)}
            first
            signs
            highlighted={false}
            handlers={handlers}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </ChakraProvider>,
  ).container;
}

const TEMPLATE = {
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Pedido a caminho' },
    { type: 'BODY', text: 'Seu pedido saiu.' },
    { type: 'FOOTER', text: 'Casa Aroeira' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Recebi' }] },
  ],
};
const MENU = {
  body: { text: 'Escolha' },
  action: { buttons: [{ reply: { id: '1', title: 'Vendas' } }] },
};

const FORM = {
  formAnswer: { answers: { a: 'Ana' }, given: [{ optionId: 1, label: 'Seu nome', text: 'Ana' }] },
};
const LIST = {
  interactive: {
    kind: 'list',
    body: 'Escolha um horário',
    button: 'Ver horários',
    choices: [
      { title: '8 h', description: 'Com Ana', section: 'Manhã' },
      { title: '14 h', section: 'Tarde' },
    ],
  },
};
const CAROUSEL = {
  components: [
    { type: 'BODY', text: 'Escolhemos para você' },
    { type: 'LIMITED_TIME_OFFER', text: 'Só até sábado', expiresAt: '2020-01-04T12:00:00Z' },
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copiar', code: 'AROEIRA10' }] },
    {
      type: 'CAROUSEL',
      cards: [
        {
          components: [
            { type: 'BODY', text: 'Caneca azul' },
            { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Quero' }] },
          ],
        },
      ],
    },
  ],
};

test.each([
  [
    'interactive_list',
    { body: '1', fromMe: true, dataJson: JSON.stringify(LIST) },
    ['Ver horários', 'Manhã', 'Com Ana', 'Tarde', '14 h'],
  ],
  [
    'template',
    { body: '1', dataJson: JSON.stringify(CAROUSEL) },
    ['Só até sábado', 'Código: AROEIRA10', 'Encerrada em 04/01/2020', 'Caneca azul', 'Quero'],
  ],
  ['conversation', { body: 'Bom dia' }, ['Bom dia']],
  [
    'conversation',
    { body: 'Seu nome: Ana', dataJson: JSON.stringify(FORM) },
    ['Formulário respondido', 'Seu nome', 'Ana'],
  ],
  ['extendedTextMessage', { body: 'Boa tarde' }, ['Boa tarde']],
  ['vcard', { body: 'BEGIN:VCARD\nFN:Zé\nTEL:+55 31 3333-4444\nEND:VCARD' }, ['Zé']],
  ['locationMessage', { body: '|https://maps.google.com/?q=1,2|Praça da Sé' }, ['Praça da Sé']],
  ['interactive_list', { body: 'Escolha', dataJson: JSON.stringify(MENU) }, ['Escolha', 'Vendas']],
  [
    'template',
    { body: 'Seu pedido saiu.', dataJson: JSON.stringify(TEMPLATE) },
    ['Pedido a caminho', 'Seu pedido saiu.', 'Casa Aroeira', 'Recebi'],
  ],
  ['call_log', { body: 'Chamada de voz recusada' }, ['Chamada de voz recusada']],
  ['unknown', { body: 'unknown' }, ['Esta mensagem não pode ser mostrada aqui']],
  ['conversation', { body: 'unknown' }, ['Esta mensagem não pode ser mostrada aqui']],
] as const)('a message of kind %s shows what it is: %j', (mediaType, changes, words) => {
  const row = show({ mediaType, ...changes });
  for (const each of words) expect(row.textContent).toContain(each);
});

test('what was taken back or edited says so', () => {
  const gone = show({ body: 'segredo', isDeleted: true });
  expect(gone.textContent).toContain('Mensagem apagada');
  expect(gone.textContent).not.toContain('segredo');
  expect(show({ body: 'Às dez', isEdited: true }).textContent).toContain('Editada');
});

test('a reply shows what it quotes', () => {
  const quoted = { ...makeMessage(2, { body: 'Quanto custa?' }) };
  const row = show({ body: 'Quarenta', quotedMsg: quoted });
  expect(row.textContent).toContain('Quanto custa?');
  expect(row.textContent).toContain('Quarenta');
});

test.each([
  [1, 'Enviada'],
  [2, 'Recebida pelo servidor'],
  [3, 'Entregue'],
  [4, 'Lida'],
  [5, 'Lida'],
])('a sent message of ack %i is %s', (ack, words) => {
  show({ fromMe: true, ack, body: 'Olá' });
  expect(screen.getByRole('img', { name: words })).toBeDefined();
});

test('a message of ack -1 says that it was not sent', () => {
  show({ fromMe: true, ack: -1, body: 'Olá' });
  expect(screen.getByRole('status').textContent).toContain('Não enviada');
});

test('a utility text says that it is one, to eyes and to screen readers', () => {
  const changes = { body: 'Seu pedido saiu.', dataJson: '{"category":"utility"}' };
  const row = show({ ...changes, fromMe: true, ack: 3 });
  const mark = row.querySelector('[title="Mensagem de utilidade, sem modelo"]');
  expect(mark?.textContent).toBe('UtilidadeMensagem de utilidade, sem modelo');
  expect(mark?.querySelector('[aria-hidden]')?.textContent).toBe('Utilidade');
  expect(show({ ...changes, fromMe: true, isDeleted: true }).textContent).not.toContain(
    'Utilidade',
  );
  expect(show({ ...changes, fromMe: false }).textContent).not.toContain('Utilidade');
});
