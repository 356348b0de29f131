import { expect, test } from 'vitest';
import { makeUnsent } from '@/lib/outbox/testData';
import { entriesOf, firstUnreadId, type Entry } from './entries';
import { makeActivity, makeMessage } from './testData';

const nothing = { messages: [], activities: [], outbox: [], unread: null, hasOlder: false };
const shape = (entries: Entry[]) =>
  entries.map((entry) => (entry.kind === 'message' ? entry.message.id : entry.kind));
const firsts = (entries: Entry[]) =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [entry.first] : []));

test('each day begins with its line', () => {
  const messages = [makeMessage(1), makeMessage(2, { createdAt: '2026-03-03T15:00:00Z' })];
  expect(shape(entriesOf({ ...nothing, messages }))).toEqual(['day', 1, 'day', 2]);
});

test('a clock that goes back opens no day twice', () => {
  const messages = [
    makeMessage(1, { createdAt: '2026-03-03T15:00:00Z' }),
    makeMessage(2, { createdAt: '2026-03-02T15:00:00Z' }),
    makeMessage(3, { createdAt: '2026-03-03T15:00:00Z' }),
  ];
  expect(shape(entriesOf({ ...nothing, messages }))).toEqual(['day', 1, 2, 3]);
});

test('messages of one side close together are one group', () => {
  const messages = [
    makeMessage(1),
    makeMessage(2),
    makeMessage(3, { fromMe: true }),
    makeMessage(4),
    makeMessage(20),
  ];
  expect(firsts(entriesOf({ ...nothing, messages }))).toEqual([true, false, true, true, true]);
});

test('people of a group are told apart', () => {
  const messages = [1, 2, 3].map((id) =>
    makeMessage(id, { participant: { id: id === 1 ? 1 : 2, name: 'x' } }),
  );
  expect(firsts(entriesOf({ ...nothing, messages }))).toEqual([true, true, false]);
});

test('a change of ticket is a divider and begins a group', () => {
  const messages = [makeMessage(1), makeMessage(2, { ticketId: 51 })];
  const entries = entriesOf({ ...nothing, messages });
  expect(shape(entries)).toEqual(['day', 1, 'ticket', 2]);
  expect(entries[2]).toMatchObject({ closedId: 50, startedId: 51 });
  expect(firsts(entries)).toEqual([true, true]);
});

test('activities stand at their time, and after the last message', () => {
  const messages = [makeMessage(1), makeMessage(2)];
  const activities = [makeActivity(1, 0), makeActivity(2, 1), makeActivity(3, 9)];
  expect(shape(entriesOf({ ...nothing, messages, activities }))).toEqual([
    'day',
    'activity',
    1,
    'activity',
    2,
    'activity',
  ]);
});

test('the unread line stands before the first unread message', () => {
  const messages = [makeMessage(1), makeMessage(2), makeMessage(3)];
  const entries = entriesOf({ ...nothing, messages, unread: { firstId: 2, count: 2 } });
  expect(shape(entries)).toEqual(['day', 1, 'unread', 2, 3]);
});

test('unread ones are counted from the end among what the contact wrote', () => {
  const messages = [
    makeMessage(1),
    makeMessage(2),
    makeMessage(3, { fromMe: true }),
    makeMessage(4),
  ];
  expect(firstUnreadId(messages, { count: 2, lastId: null })).toBe(2);
  expect(firstUnreadId(messages, { count: 9, lastId: null })).toBeNull();
});

test('what arrives after opening moves no unread line', () => {
  const messages = [makeMessage(1), makeMessage(2), makeMessage(3), makeMessage(4)];
  expect(firstUnreadId(messages, { count: 2, lastId: 3 })).toBe(2);
});

test('older messages come above what is shown and change nothing of it', () => {
  const messages = [
    makeMessage(1),
    makeMessage(2),
    makeMessage(3),
    makeMessage(4, { createdAt: '2026-03-03T15:00:00Z' }),
    makeMessage(5, { createdAt: '2026-03-03T15:01:00Z' }),
  ];
  const activities = [makeActivity(1, 0), makeActivity(2, 2)];
  const unread = { firstId: 2, count: 4 };
  const whole = entriesOf({ ...nothing, messages, activities, unread });
  for (const from of [1, 2, 3]) {
    const loaded = { ...nothing, messages: messages.slice(from), activities, unread };
    const shown = entriesOf({ ...loaded, hasOlder: true });
    expect(shown.length).toBeGreaterThan(0);
    expect(whole.slice(-shown.length)).toEqual(shown);
  }
});

test('a single loaded message is shown although there are older ones', () => {
  const entries = entriesOf({ ...nothing, messages: [makeMessage(1)], hasOlder: true });
  expect(shape(entries)).toEqual(['day', 1]);
});

test('what is unsent stands at the end', () => {
  const item = makeUnsent({
    ticketId: 50,
    body: 'indo',
    quoted: null,
    stored: null,
    createdAt: makeMessage(2).createdAt,
  });
  const messages = [makeMessage(1), makeMessage(3, { fromMe: true, userId: 7 })];
  const entries = entriesOf({ ...nothing, messages, outbox: [item] });
  expect(shape(entries)).toEqual(['day', 1, 3, 'outbox']);
  expect(entries.at(-1)).toMatchObject({ first: false });
});

test('the first text of a group shows the signature, also after files without a caption', () => {
  const signs = (bodies: string[], changes: Parameters<typeof makeMessage>[1][] = []) =>
    entriesOf({
      ...nothing,
      messages: bodies.map((body, index) =>
        makeMessage(index + 1, { fromMe: true, body, ...changes[index] }),
      ),
    }).flatMap((entry) => (entry.kind === 'message' ? [entry.signs] : []));
  const signed = '*Camila Duarte:*\nJá saiu';
  expect(signs([signed, signed, signed])).toEqual([true, false, false]);
  expect(signs(['', signed, signed])).toEqual([true, true, false]);
  // What was deleted shows nothing.
  expect(signs([signed, signed], [{ isDeleted: true }])).toEqual([true, true]);
});
