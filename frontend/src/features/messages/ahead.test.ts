import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { lookAhead, messagesKey } from './api';
import { messagesOf } from './fold';
import { makeMessage, makePage } from './testData';
import type { MessagePages } from './types';

const urls: string[] = [];
const signals: AbortSignal[] = [];
let client: QueryClient;

const bodiesOf = (ticketId: number) =>
  messagesOf(client.getQueryData<MessagePages>(messagesKey(ticketId))).map(({ body }) => body);

beforeEach(() => {
  urls.length = 0;
  signals.length = 0;
  client = new QueryClient();
  const page = makePage([9], { messages: [makeMessage(9, { body: 'Do servidor' })] });
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    urls.push(url);
    signals.push(signal);
    return Promise.resolve(new Response(JSON.stringify(page)));
  });
});

test('the end of a conversation is fetched without having read it', async () => {
  await lookAhead(client, { id: 50, lastMessageId: 9 });
  expect(urls).toEqual(['/api/messages/50?peek=true']);
  expect(bodiesOf(50)).toEqual(['Do servidor']);
});

test('what is here up to the last message is not fetched again', async () => {
  await lookAhead(client, { id: 50, lastMessageId: 9 });
  await lookAhead(client, { id: 50, lastMessageId: 9 });
  expect(urls).toHaveLength(1);
  await lookAhead(client, { id: 50, lastMessageId: 10 });
  expect(urls).toHaveLength(2);
});

test('the next wish ends the one before', async () => {
  const first = lookAhead(client, { id: 50, lastMessageId: 9 });
  const same = lookAhead(client, { id: 50, lastMessageId: 9 });
  const second = lookAhead(client, { id: 51, lastMessageId: 9 });
  await Promise.all([first, same, second]);
  expect(urls).toHaveLength(2);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  expect(bodiesOf(51)).toEqual(['Do servidor']);
});
