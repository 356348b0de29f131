import type { InfiniteData } from '@tanstack/react-query';
import type { Chat, ChatMessage, ChatMessagePage, ChatPage } from './types';

export type ChatPages = InfiniteData<ChatPage>;
export type MessagePages = InfiniteData<ChatMessagePage>;

/** The number of a user's unread messages in a chat. */
export const unreadsOf = (chat: Chat, userId: number): number =>
  chat.users.find((member) => member.userId === userId)?.unreads ?? 0;

export const rowsOf = ({ pages }: ChatPages): Chat[] => pages.flatMap(({ records }) => records);

const isNewer = (left: Chat, right: Chat) =>
  left.updatedAt === right.updatedAt ? left.id > right.id : left.updatedAt > right.updatedAt;

const isUnread = (chat: Chat | undefined, userId: number) =>
  chat && unreadsOf(chat, userId) > 0 ? 1 : 0;

/** Of two states of a chat, the one that was stored later. */
export const newerOf = (known: Chat, chat: Chat): Chat =>
  chat.revision < known.revision ? known : chat;

function replaced(data: ChatPages, id: number, chat: Chat | undefined, userId: number): ChatPages {
  const known = rowsOf(data).find((each) => each.id === id);
  const change = isUnread(chat, userId) - isUnread(known, userId);
  const pages = data.pages.map((page) => ({
    ...page,
    unreadChats: Math.max(0, page.unreadChats + change),
    records: page.records.filter((each) => each.id !== id),
  }));
  if (chat) {
    const page = pages.find(({ records, hasMore }) => {
      const last = records.at(-1);
      return !hasMore || (last !== undefined && isNewer(chat, last));
    });
    const place = page?.records.findIndex((each) => isNewer(chat, each)) ?? -1;
    page?.records.splice(place < 0 ? page.records.length : place, 0, chat);
  }
  return { ...data, pages };
}

/** Puts the current state of a chat into the loaded chats; an older state changes nothing. */
export function foldChat(data: ChatPages, chat: Chat, userId: number): ChatPages {
  const known = rowsOf(data).find(({ id }) => id === chat.id);
  return known && newerOf(known, chat) === known ? data : replaced(data, chat.id, chat, userId);
}

/** Removes a chat from the loaded chats. */
export const foldGone = (data: ChatPages, id: number, userId: number): ChatPages =>
  rowsOf(data).some((each) => each.id === id) ? replaced(data, id, undefined, userId) : data;

/** The loaded messages, oldest first. */
export const messagesOf = ({ pages }: MessagePages): ChatMessage[] =>
  pages.toReversed().flatMap(({ records }) => records);

/** Inserts a message into the loaded ones, once. */
export function foldMessage(data: MessagePages, message: ChatMessage): MessagePages {
  const [newest, ...older] = data.pages;
  if (!newest || messagesOf(data).some(({ id }) => id === message.id)) return data;
  const records = [...newest.records, message].sort((left, right) => left.id - right.id);
  return { ...data, pages: [{ ...newest, records, count: newest.count + 1 }, ...older] };
}
