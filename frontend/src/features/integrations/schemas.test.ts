import { expect, test } from 'vitest';
import { bodyOf, formOf, integrationSchema, keyProblem, type IntegrationForm } from './schemas';

const KEY = JSON.stringify({ type: 'service_account', private_key: 'x', client_email: 'y' });

function problems(changes: Partial<IntegrationForm>): Record<string, string> {
  const result = integrationSchema.safeParse({ ...formOf(), name: 'Robô', ...changes });
  return Object.fromEntries(
    result.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [],
  );
}

test('a new one is a Typebot with its defaults', () => {
  const form = formOf();
  expect([form.type, form.typebotExpires, form.typebotDelayMessage]).toEqual([
    'typebot',
    '60',
    '1000',
  ]);
});

test.each([
  ['typebot', { urlN8N: 'field.required', typebotSlug: 'field.required' }],
  ['n8n', { urlN8N: 'field.required' }],
  ['webhook', { urlN8N: 'field.required' }],
  ['webhook_official', { urlN8N: 'field.required' }],
  ['dialogflow', { projectName: 'field.required', jsonContent: 'field.required' }],
  ['asaas', {}],
])('%s asks for what it needs', (type, expected) => {
  expect(problems({ type })).toEqual(expected);
});

test('a stored key need not be sent again', () => {
  const form = { type: 'dialogflow', projectName: 'loja', hasKey: true };
  expect(problems(form)).toEqual({});
  expect(problems({ ...form, jsonContent: '{' })).toEqual({
    jsonContent: 'integrations:errors.notJson',
  });
});

test.each([
  ['', undefined],
  [KEY, undefined],
  ['{', 'integrations:errors.notJson'],
  ['null', 'integrations:errors.notAServiceAccount'],
  ['{"type":"authorized_user"}', 'integrations:errors.notAServiceAccount'],
])('a key is judged: %s', (json, expected) => {
  expect(keyProblem(json)).toBe(expected);
});

test('an address has to be one', () => {
  expect(problems({ type: 'webhook', urlN8N: 'fluxo.com' })).toEqual({
    urlN8N: 'integrations:errors.address',
  });
});

test.each(['typebot', 'webhook', 'dialogflow', 'asaas'])('%s may have a queue', (type) => {
  expect(bodyOf({ ...formOf(), type, queueId: '7' }).queueId).toBe(7);
});

test('only what the type knows is sent, emptied numbers as their defaults', () => {
  const form = { ...formOf(), name: 'Robô', typebotExpires: '', urlN8N: 'https://a.b' };
  expect(bodyOf({ ...form, type: 'webhook' })).toEqual({
    type: 'webhook',
    name: 'Robô',
    queueId: null,
    urlN8N: 'https://a.b',
  });
  expect(bodyOf({ ...form, type: 'asaas' })).toEqual({
    type: 'asaas',
    name: 'Robô',
    queueId: null,
  });
  expect(bodyOf(form)).toMatchObject({ typebotExpires: 60, typebotDelayMessage: 1000 });
});
