import { expect, test } from 'vitest';
import { eventsOf, foldClosed, foldCreated, foldEvent, foldUpdated, messagesOf } from './fold';
import { makeEvent, makeMessage, makePage, makePages } from './testData';

const pages = makePages(makePage([21, 22], { hasMore: true }), makePage([19, 20]));
const ids = (folded: typeof pages) => messagesOf(folded).map(({ id }) => id);

test('pages are read oldest first', () => {
  expect(ids(pages)).toEqual([19, 20, 21, 22]);
});

test('a new message comes last', () => {
  expect(ids(foldCreated(pages, makeMessage(23)))).toEqual([19, 20, 21, 22, 23]);
});

test('a message that the answer brought already is not doubled by its event', () => {
  const once = foldCreated(pages, makeMessage(23));
  expect(ids(foldCreated(once, makeMessage(23)))).toEqual([19, 20, 21, 22, 23]);
});

test('messages that overtook each other stand by id', () => {
  const folded = [24, 23].reduce((all, id) => foldCreated(all, makeMessage(id)), pages);
  expect(ids(folded)).toEqual([19, 20, 21, 22, 23, 24]);
});

test('an event older than what is loaded waits for its page', () => {
  const more = makePages(makePage([21, 22], { hasMore: true }));
  expect(foldCreated(more, makeMessage(5))).toBe(more);
  expect(ids(foldCreated(pages, makeMessage(5)))).toEqual([5, 19, 20, 21, 22]);
});

test('the first message of an empty conversation is shown', () => {
  expect(ids(foldCreated(makePages(makePage([])), makeMessage(1)))).toEqual([1]);
});

test('an update changes its message wherever it stands', () => {
  const read = makeMessage(19, { ack: 4, updatedAt: '2026-03-02T13:00:00Z' });
  expect(messagesOf(foldUpdated(pages, read))[0]?.ack).toBe(4);
});

test('a staler state and an unknown message change nothing', () => {
  const stale = makeMessage(22, { ack: 1, updatedAt: '2026-03-02T11:00:00Z' });
  expect(foldUpdated(pages, stale)).toBe(pages);
  expect(foldUpdated(pages, makeMessage(99))).toBe(pages);
});

test("a line of the ticket's history comes once", () => {
  const once = foldEvent(pages, makeEvent(1, 22));
  expect(foldEvent(once, makeEvent(1, 22))).toBe(once);
  expect(eventsOf(foldEvent(once, makeEvent(2, 20))).map(({ id }) => id)).toEqual([2, 1]);
});

test('closing keeps the newest page alone', () => {
  expect(ids(foldClosed(pages))).toEqual([21, 22]);
});
