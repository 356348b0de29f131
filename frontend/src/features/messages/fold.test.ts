import { expect, test } from 'vitest';
import { messagesQuery } from './api';
import {
  activitiesOf,
  foldActivity,
  foldClosed,
  foldCreated,
  foldUpdated,
  foldWithoutActivity,
  messagesOf,
} from './fold';
import { makeActivity, makeMessage, makePage, makePages } from './testData';

test('a note that was deleted leaves the page that has it, and others stay as they are', () => {
  const pages = makePages(
    makePage([21, 22], { events: [makeActivity(1, 21)] }),
    makePage([11, 12], { events: [makeActivity(2, 11), makeActivity(3, 12)] }),
  );
  expect(activitiesOf(foldWithoutActivity(pages, 2)).map(({ id }) => id)).toEqual([3, 1]);
  expect(foldWithoutActivity(pages, 9)).toBe(pages);
});

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

test('an activity of the ticket comes once', () => {
  const once = foldActivity(pages, makeActivity(1, 22));
  expect(foldActivity(once, makeActivity(1, 22))).toBe(once);
  expect(activitiesOf(foldActivity(once, makeActivity(2, 20))).map(({ id }) => id)).toEqual([2, 1]);
});

test('closing keeps the newest page alone', () => {
  expect(ids(foldClosed(pages))).toEqual([21, 22]);
});

const part = makePages(makePage([50, 51], { hasMore: true, hasNewer: true }));

test('what arrives behind a part that ends early is counted once and put nowhere', () => {
  const folded = [90, 91, 90].reduce((all, id) => foldCreated(all, makeMessage(id)), part);
  expect(ids(folded)).toEqual([50, 51]);
  expect(folded.pages[0]?.arrivedIds).toEqual([90, 91]);
  expect(foldCreated(part, makeMessage(92, { fromMe: true }))).toBe(part);
});

test('a part that ends early still takes the changes of its messages', () => {
  const edited = makeMessage(51, { body: 'outro', updatedAt: '2026-03-02T13:30:00Z' });
  expect(messagesOf(foldCreated(part, edited)).at(-1)?.body).toBe('outro');
  expect(foldActivity(part, makeActivity(1, 59))).toBe(part);
});

test('stale pages and the events since are what a fresh answer brings', () => {
  const stale = makePages(makePage([21, 22]), makePage([19, 20]));
  const read = makeMessage(22, { ack: 4, fromMe: true, updatedAt: '2026-03-02T13:00:00Z' });
  const fresh = makePages(
    { ...makePage([21, 22, 23]), messages: [makeMessage(21), read, makeMessage(23)] },
    makePage([19, 20]),
  );
  const events = [
    makeMessage(23),
    read,
    makeMessage(22, { ack: 1, fromMe: true }),
    makeMessage(23),
  ];
  const folded = events.reduce(foldCreated, stale);
  expect(messagesOf(folded)).toEqual(messagesOf(fresh));
});

test('closing a part that ends early keeps nothing, so that the end is opened next', () => {
  expect(foldClosed(part)).toEqual({ pages: [], pageParams: [] });
});

test('pages lead to older and newer ones by their ids', () => {
  const { getNextPageParam: older, getPreviousPageParam } = messagesQuery(50);
  const newer = getPreviousPageParam ?? (() => undefined);
  const around = makePage([50, 51], { hasMore: true, hasNewer: true });
  expect(older(around, [], { around: 50 }, [])).toEqual({ before: 50 });
  expect(newer(around, [], { around: 50 }, [])).toEqual({ after: 51 });
  const newest = makePage([52], { hasMore: false });
  expect(newer(newest, [], { after: 51 }, [])).toBeUndefined();
  // Refetched from the newest page, the cursors continue with the page before it.
  expect(older(newest, [], { after: 51 }, [])).toEqual({ before: 52 });
  expect(older(makePage([]), [], { after: 51 }, [])).toEqual({ before: 52 });
  expect(older(makePage([1]), [], { before: 5 }, [])).toBeUndefined();
});
