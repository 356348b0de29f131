import { formatDate } from '@/lib/format';
import type { OutboxItem } from './outbox';
import type { ChatMessage } from './types';

/** One line of a chat; the first of a group tells who writes. */
export type Entry = { key: string; day: string } & (
  | { kind: 'day' }
  | { kind: 'unread'; count: number }
  | { kind: 'message'; message: ChatMessage; first: boolean }
  | { kind: 'outbox'; item: OutboxItem; first: boolean }
);

/** What was not read when the chat was opened: how many, up to which message. */
export interface Unread {
  count: number;
  newestId: number;
}

/** The first message that was not read; none while it is above what is loaded. */
function firstUnread(messages: readonly ChatMessage[], unread: Unread | null): number | undefined {
  if (!unread || unread.count === 0) return undefined;
  const before = messages.filter(({ id }) => id <= unread.newestId);
  return before[before.length - unread.count]?.id;
}

/** The lines of a chat: days, where the unread begins, messages in groups, and what is on its way. */
export function entriesOf(
  messages: readonly ChatMessage[],
  items: readonly OutboxItem[],
  unread: Unread | null,
): Entry[] {
  const entries: Entry[] = [];
  const firstId = firstUnread(messages, unread);
  const taken = new Set(messages.map(({ clientId }) => clientId));
  let day = '';
  let sender: string | null = null;
  const begin = (createdAt: string) => {
    const next = formatDate(createdAt);
    if (next === day) return;
    day = next;
    sender = null;
    entries.push({ kind: 'day', key: `day-${next}`, day: createdAt });
  };
  for (const message of messages) {
    begin(message.createdAt);
    const common = { day: message.createdAt };
    if (message.id === firstId && unread) {
      entries.push({ kind: 'unread', key: 'unread', count: unread.count, ...common });
      sender = null;
    }
    const own = `${message.senderId ?? message.sender.name}`;
    const first = own !== sender;
    entries.push({ kind: 'message', key: `message-${message.id}`, message, first, ...common });
    sender = own;
  }
  for (const item of items) {
    // The live event may be faster than the answer of the call.
    if (taken.has(item.clientId)) continue;
    begin(item.createdAt);
    const own = `${item.userId}`;
    const first = own !== sender;
    entries.push({
      kind: 'outbox',
      key: `outbox-${item.clientId}`,
      item,
      first,
      day: item.createdAt,
    });
    sender = own;
  }
  return entries;
}
