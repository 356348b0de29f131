import { formatDate } from '@/lib/format';
import type { OutboxItem } from './outbox';
import type { ChatMessage } from './types';

/** One row of a chat; the first message of a group shows the sender. */
export type Entry = { key: string; day: string } & (
  | { kind: 'day' }
  | { kind: 'unread'; count: number }
  | { kind: 'message'; message: ChatMessage; first: boolean }
  | { kind: 'outbox'; item: OutboxItem; first: boolean }
);

/** The unread messages at opening: their number, and the newest of them. */
export interface Unread {
  count: number;
  newestId: number;
}

/** The first unread message; undefined while it is not loaded. */
function firstUnread(messages: readonly ChatMessage[], unread: Unread | null): number | undefined {
  if (!unread || unread.count === 0) return undefined;
  const before = messages.filter(({ id }) => id <= unread.newestId);
  return before[before.length - unread.count]?.id;
}

/** The rows of a chat: days, the unread separator, grouped messages, and unsent messages. */
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
    // The live event may arrive before the answer of the call.
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
