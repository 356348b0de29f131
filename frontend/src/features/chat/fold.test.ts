import { describe, expect, test } from 'vitest';
import { foldChat, foldGone, foldMessage, messagesOf, rowsOf, type ChatPages } from './fold';
import { makeChat, makeMessage } from './testData';

const ME = 1;

const pages = (hasMore: boolean, ...ids: number[][]): ChatPages => ({
  pages: ids.map((each, index) => ({
    records: each.map((id) => makeChat(id)),
    count: 9,
    unreadChats: 0,
    hasMore: hasMore || index < ids.length - 1,
  })),
  pageParams: ids.map((_, index) => index + 1),
});

const idsOf = (data: ChatPages) => data.pages.map(({ records }) => records.map(({ id }) => id));

describe('the list of chats', () => {
  test('a chat that somebody wrote in stands first, and counts once as unread', () => {
    const chat = makeChat(3, { revision: 2, updatedAt: '2026-02-01T12:00:00Z', unreads: [2, 0] });
    const data = foldChat(pages(false, [5, 4], [3]), chat, ME);
    expect(idsOf(data)).toEqual([[3, 5, 4], []]);
    expect(data.pages[0]?.unreadChats).toBe(1);
    const more = foldChat(data, { ...chat, revision: 3 }, ME);
    expect(more.pages[0]?.unreadChats).toBe(1);
    const read = makeChat(3, { revision: 4, updatedAt: chat.updatedAt });
    expect(foldChat(more, read, ME).pages[0]?.unreadChats).toBe(0);
  });

  test('what others have not read is not mine', () => {
    const chat = makeChat(5, { revision: 2, unreads: [0, 4] });
    expect(foldChat(pages(false, [5]), chat, ME).pages[0]?.unreadChats).toBe(0);
  });

  test('an older copy changes nothing', () => {
    const data = foldChat(pages(false, [5]), makeChat(5, { revision: 3, title: 'Nova' }), ME);
    expect(foldChat(data, makeChat(5, { revision: 2 }), ME)).toBe(data);
    expect(rowsOf(data)[0]?.title).toBe('Nova');
  });

  test('one beyond what is loaded waits for its page', () => {
    expect(idsOf(foldChat(pages(true, [5, 4]), makeChat(1), ME))).toEqual([[5, 4]]);
  });

  test('one that is gone leaves its page, with what was unread of it', () => {
    const unread = foldChat(pages(false, [5, 4]), makeChat(4, { revision: 2, unreads: [1] }), ME);
    const data = foldGone(unread, 4, ME);
    expect(idsOf(data)).toEqual([[5]]);
    expect(data.pages[0]?.unreadChats).toBe(0);
    expect(foldGone(data, 4, ME)).toBe(data);
  });
});

describe('the messages of a chat', () => {
  const loaded = {
    pages: [
      { records: [makeMessage(3), makeMessage(4)], count: 4, hasMore: true },
      { records: [makeMessage(1), makeMessage(2)], count: 4, hasMore: false },
    ],
    pageParams: [null, 3],
  };

  test('are read from the oldest, and a new one stands last', () => {
    const data = foldMessage(loaded, makeMessage(5));
    expect(messagesOf(data).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(data.pages[0]?.count).toBe(5);
  });

  test('each is there once, in its order', () => {
    expect(foldMessage(loaded, makeMessage(2))).toBe(loaded);
    const data = foldMessage(foldMessage(loaded, makeMessage(6)), makeMessage(5));
    expect(messagesOf(data).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
