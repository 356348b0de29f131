import { expect, test } from 'vitest';
import { autoResponderOf } from '@/features/tickets/api';
import { i18n } from '@/i18n';
import { entriesOf } from './entries';
import { isAutomatic } from './sources';
import { sentenceOf } from './SystemLines';
import { makeActivity, makeMessage } from './testData';
import type { TicketActivity } from './types';

const words = (activity: Partial<TicketActivity>) =>
  i18n.t(`messages:${sentenceOf({ ...makeActivity(1, 0), actorName: null, ...activity })}`, {
    target: 'Vendas',
    actor: 'Ana',
  });

test.each<[Partial<TicketActivity>, string]>([
  [{ kind: 'queued', by: 'menu' }, 'O contato escolheu <b>Vendas</b> no menu'],
  [{ kind: 'queued', by: 'keyword' }, 'A palavra-chave do contato levou para <b>Vendas</b>'],
  [{ kind: 'queued', by: 'fallback' }, 'Sem fila escolhida, foi para <b>Vendas</b>'],
  [{ kind: 'queued', by: 'closed' }, 'Fora do horário de atendimento, foi para <b>Vendas</b>'],
  [{ kind: 'queued', by: 'timer' }, 'Sem escolha no tempo previsto, foi para <b>Vendas</b>'],
  [
    { kind: 'queued', by: 'late' },
    'A mensagem chegou tarde demais para o bot e foi para <b>Vendas</b>',
  ],
  [{ kind: 'queued', by: 'something new' }, 'Encaminhado para <b>Vendas</b>'],
  [{ kind: 'bot_ended', reason: 'leaf' }, 'O bot terminou; o contato espera por uma pessoa'],
  [
    { kind: 'bot_ended', reason: 'limit' },
    'O bot parou depois de várias respostas sem escolha; o contato espera por uma pessoa',
  ],
  [{ kind: 'bot_ended', reason: 'finished' }, 'A conversa automática terminou'],
  [
    { kind: 'bot_ended', reason: 'silent' },
    'A automação ficou em silêncio; o contato espera por uma pessoa',
  ],
  [{ kind: 'bot_ended', reason: 'phone' }, 'Alguém respondeu pelo celular; o bot parou'],
  [{ kind: 'bot_ended', reason: 'something new' }, 'O bot parou; o contato espera por uma pessoa'],
  [{ kind: 'rated', rate: 3 }, 'O contato avaliou: muito satisfeito'],
  [{ kind: 'expired' }, 'Encerrado por inatividade do contato'],
  [{ kind: 'control_passed' }, 'Outro agente passou a conversa para nós'],
  [{ kind: 'control_taken' }, 'Outro agente assumiu a conversa'],
  [{ kind: 'resolved', actorName: 'Ana' }, '<b>Ana</b> resolveu o atendimento'],
])('%o is told in words', (activity, expected) => {
  expect(words(activity)).toBe(expected);
});

test('what a machine writes is not what a person, a phone or the contact writes', () => {
  const sources = [
    'contact',
    'agent',
    'phone',
    'bot',
    'api',
    'schedule',
    'integration',
    'ai',
    'other',
  ];
  const automatic = sources.filter((source) => isAutomatic(source as 'bot'));
  expect(automatic).toEqual(['bot', 'api', 'schedule', 'integration', 'ai', 'other']);
});

test('a new writer begins a new group of bubbles', () => {
  const at = '2026-11-21T12:00:00Z';
  const common = { fromMe: true, userId: null, createdAt: at };
  const messages = [
    makeMessage(1, { source: 'bot', ...common }),
    makeMessage(2, { source: 'bot', ...common }),
    makeMessage(3, { source: 'ai', ...common }),
  ];
  const entries = entriesOf({
    messages,
    activities: [],
    outbox: [],
    unread: null,
    hasOlder: false,
  });
  const firsts = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.first] : []));
  expect(firsts).toEqual([true, false, true]);
});

test.each([
  [{ chatbot: true }, 'bot'],
  [{ chatbot: true, promptId: 3 }, 'ai'],
  [{ chatbot: true, useIntegration: true }, 'integration'],
  [{}, null],
  [{ chatbot: true, status: 'open' as const }, null],
])('%o is answered by %s', (ticket, responder) => {
  const plain = {
    status: 'pending' as const,
    chatbot: false,
    useIntegration: false,
    promptId: null,
  };
  expect(autoResponderOf({ ...plain, ...ticket })).toBe(responder);
});
