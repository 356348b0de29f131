import { expect, test } from 'vitest';
import { makeUnsent } from '@/lib/outbox/testData';
import { entriesOf, type Entry } from './entries';
import { makeMessage } from './testData';

const mine = { senderId: 1, sender: { id: 1, name: 'Ana' } };
const drawn = (entries: Entry[]) =>
  entries.map((entry) => ('first' in entry ? `${entry.key}${entry.first ? '*' : ''}` : entry.kind));

const item = (clientId: string) =>
  makeUnsent({
    clientId,
    userId: 1,
    chatId: 1,
    text: 'Oi',
    createdAt: '2026-01-06T12:00:00Z',
    state: 'sending',
  });

test('messages of one person on one day are a group', () => {
  const messages = [
    makeMessage(1),
    makeMessage(2),
    makeMessage(3, mine),
    makeMessage(4, { ...mine, createdAt: '2026-01-06T12:00:00Z' }),
  ];
  expect(drawn(entriesOf(messages, [], null))).toEqual([
    'day',
    'message-1*',
    'message-2',
    'message-3*',
    'day',
    'message-4*',
  ]);
});

test('the unread begin where they began at the opening, and stay there', () => {
  const unread = { count: 2, newestId: 3 };
  const messages = [1, 2, 3].map((id) => makeMessage(id));
  const lines = ['day', 'message-1*', 'unread', 'message-2*', 'message-3'];
  expect(drawn(entriesOf(messages, [], unread))).toEqual(lines);
  expect(drawn(entriesOf([...messages, makeMessage(4)], [], unread))).toEqual([
    ...lines,
    'message-4',
  ]);
});

test('unread ones above what is loaded have no line yet', () => {
  const unread = { count: 9, newestId: 3 };
  expect(drawn(entriesOf([makeMessage(3)], [], unread))).toEqual(['day', 'message-3*']);
});

test('what is on its way stands last, once', () => {
  const sent = makeMessage(2, { ...mine, clientId: 'a', createdAt: '2026-01-06T12:00:00Z' });
  expect(drawn(entriesOf([sent], [item('a'), item('b')], null))).toEqual([
    'day',
    'message-2*',
    'outbox-b',
  ]);
});
