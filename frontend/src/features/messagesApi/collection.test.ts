import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { messagesSchema } from './collection';

const whole = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../openapi.json'), 'utf-8'),
) as Record<string, unknown>;

test('programs get their calls, the shapes they need and nothing else', () => {
  const part = messagesSchema(whole, 'https://balcao.example.com') as {
    paths: Record<string, { post: { parameters: { name: string }[] } }>;
    components: { schemas: Record<string, unknown> };
  };
  expect(Object.keys(part.paths)).toEqual(['/api/messages/send/', '/api/messages/send']);
  expect(Object.keys(part.components.schemas)).toEqual([
    'ApiInteractiveRequest',
    'ApiInteractiveTypeEnum',
    'ApiMediaRequest',
    'ApiMessageRequest',
    'ApiSent',
    'ApiTemplateRequest',
    'Error',
    'InteractiveActionRequest',
    'InteractiveButtonRequest',
    'InteractiveButtonTypeEnum',
    'InteractiveFooterRequest',
    'InteractiveHeaderRequest',
    'InteractiveHeaderTypeEnum',
    'InteractiveReplyRequest',
    'InteractiveRowRequest',
    'InteractiveSectionRequest',
    'InteractiveTextRequest',
  ]);
  for (const call of Object.values(part.paths))
    expect(call.post.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key']);
  expect(part).toMatchObject({ servers: [{ url: 'https://balcao.example.com' }] });
});

test('a schema without the call is said to be one', () => {
  expect(() => messagesSchema({ paths: {}, components: { schemas: {} } }, '')).toThrow(/no .api/);
});
