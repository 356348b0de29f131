import { expect, test } from 'vitest';
import { foldPrompt } from './events';
import { formOf, inputOf, promptSchema, type PromptForm } from './schemas';
import { temperatureLabel } from './temperature';
import { makePrompt } from './testData';
import { answered, asked } from './testLines';
import type { PromptTest } from './types';
import { VOICES } from './voices';

const schema = promptSchema({ hasVoiceKey: false });
const filled: PromptForm = { ...formOf(undefined), name: 'Bia', prompt: 'Venda.', queueId: '3' };
const faults = (changes: Partial<PromptForm>, rules = schema) => {
  const result = rules.safeParse({ ...filled, ...changes });
  return Object.fromEntries(
    (result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
};

test('a new form has the defaults of the rules', () => {
  expect(formOf(undefined)).toMatchObject({
    voice: 'texto',
    maxTokens: '100',
    maxMessages: '10',
    temperature: 1,
  });
  expect(faults({})).toEqual({});
});

test('saving without a queue is refused in the specified words', () => {
  expect(faults({ queueId: '' })).toEqual({ queueId: 'prompts:emptyQueue' });
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ prompt: ' \n' }, 'prompt'],
  [{ prompt: 'x'.repeat(20_001) }, 'prompt'],
  [{ maxTokens: '0' }, 'maxTokens'],
  [{ maxTokens: '8001' }, 'maxTokens'],
  [{ maxTokens: '1.5' }, 'maxTokens'],
  [{ maxMessages: '' }, 'maxMessages'],
  [{ maxMessages: '51' }, 'maxMessages'],
  [{ temperature: 2.1 }, 'temperature'],
  [{ baseUrl: 'modelo' }, 'baseUrl'],
  [{ baseUrl: 'ftp://modelo.com' }, 'baseUrl'],
  [{ baseUrl: 'https://eu:senha@modelo.com' }, 'baseUrl'],
  [{ baseUrl: 'https://modelo.com/?a=b' }, 'baseUrl'],
] satisfies [Partial<PromptForm>, string][])('%o breaks the rule of %s', (changes, field) => {
  expect(Object.keys(faults(changes))).toEqual([field]);
});

test('a voice asks for its key and region, a stored key stays', () => {
  const voice = VOICES[0]?.value ?? '';
  expect(Object.keys(faults({ voice }))).toEqual(['voiceKey', 'voiceRegion']);
  const stored = promptSchema({ hasVoiceKey: true });
  expect(faults({ voice, voiceRegion: 'brazilsouth' }, stored)).toEqual({});
});

test('there are fifteen voices', () => {
  expect(new Set(VOICES.map(({ value }) => value)).size).toBe(15);
});

test('keys are not shown, and an empty one is sent as it is', () => {
  const form = formOf(makePrompt(1, 'Bia', { voiceKey: '••••••••' }));
  expect([form.apiKey, form.voiceKey]).toEqual(['', '']);
  expect(inputOf({ ...form, maxTokens: ' 300 ' })).toMatchObject({
    apiKey: '',
    queueId: 3,
    maxTokens: 300,
  });
});

test('the temperature has a word', () => {
  expect([0, 0.6, 1, 2].map(temperatureLabel)).toEqual([
    'precise',
    'precise',
    'balanced',
    'creative',
  ]);
});

const list = [makePrompt(1, 'Ana'), makePrompt(2, 'Bia')];
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

test('events put a prompt into its place, replace it and take it out', () => {
  const made = { action: 'create', prompt: makePrompt(3, 'Ari') } as const;
  expect(names(foldPrompt(list, made))).toEqual(['Ana', 'Ari', 'Bia']);
  const later = { updatedAt: '2026-01-02T00:00:00Z' };
  const renamed = { action: 'update', prompt: makePrompt(1, 'Zoé', later) } as const;
  expect(names(foldPrompt(list, renamed))).toEqual(['Bia', 'Zoé']);
  expect(names(foldPrompt(list, { action: 'delete', promptId: 1 }))).toEqual(['Bia']);
});

test('an event that was overtaken changes nothing', () => {
  const earlier = { updatedAt: '2025-01-01T00:00:00Z' };
  const event = { action: 'update', prompt: makePrompt(1, 'Velho', earlier) } as const;
  expect(foldPrompt(list, event)).toEqual(list);
});

const answer: PromptTest = {
  messages: ['Temos!', 'Quer?'],
  handOver: true,
  model: 'gpt',
  promptTokens: 120,
  completionTokens: 30,
  durationMs: 1500,
};

test('a test shows the answer, its cost and the hand-over', () => {
  const { lines } = asked([], 'Tem bolo?');
  expect(answered(lines, answer)).toEqual([
    { kind: 'contact', text: 'Tem bolo?' },
    { kind: 'model', text: 'Temos!' },
    { kind: 'model', text: 'Quer?' },
    { kind: 'cost', tokens: 150, seconds: 1.5, model: 'gpt' },
    { kind: 'handOver' },
  ]);
});

test('the model is sent what was said alone, at most forty lines with the question last', () => {
  let lines = asked([], 'a').lines;
  for (let turn = 0; turn < 30; turn += 1)
    lines = asked(answered(lines, { ...answer, handOver: false }), `pergunta ${turn}`).lines;
  const { messages } = asked(lines, 'fim');
  expect(messages).toHaveLength(40);
  expect(messages.at(-1)).toEqual({ fromMe: false, text: 'fim' });
});
