import { withoutSignature } from '@/lib/markup';
import type { OutboxItem } from './outbox';
import type { Message, TicketActivity } from './types';

/** The key of the row of a message or, as an activity, of a note. */
export type RowKey = `message-${number}` | `activity-${number}`;

/** One row of the conversation, by its kind. `day` is any moment of its day. */
export type Entry = { key: string; day: string } & (
  | { kind: 'day' }
  | { kind: 'unread'; count: number }
  | { kind: 'ticket'; closedId: number; startedId: number }
  | { kind: 'activity'; activity: TicketActivity }
  | ({ kind: 'message'; message: Message } & Bubble)
  | ({ kind: 'outbox'; item: OutboxItem } & Bubble)
);

interface Bubble {
  /** Begins a group of bubbles. */
  first: boolean;
  /** No bubble of its group above shows a signature: this one shows its own, if it has one. */
  signs: boolean;
}

/** A pause of this length begins a new group of bubbles. */
const GROUP_MS = 10 * 60_000;

/** The unread messages at opening: their number, and the newest message at that time. */
export interface Unread {
  count: number;
  lastId: number | null;
}

/** The first unread message; null if it is older than the loaded ones. */
export function firstUnreadId(
  messages: readonly Message[],
  { count, lastId }: Unread,
): number | null {
  let left = count;
  for (const message of messages.toReversed()) {
    if (message.fromMe || (lastId !== null && message.id > lastId)) continue;
    left -= 1;
    if (left === 0) return message.id;
  }
  return null;
}

function continues(before: Entry | undefined, message: Message): boolean {
  if (before?.kind !== 'message') return false;
  const { message: last } = before;
  return (
    last.fromMe === message.fromMe &&
    last.participant?.id === message.participant?.id &&
    last.userId === message.userId &&
    last.source === message.source &&
    Date.parse(message.createdAt) - Date.parse(last.createdAt) < GROUP_MS
  );
}

interface Sources {
  messages: readonly Message[];
  activities: readonly TicketActivity[];
  outbox: readonly OutboxItem[];
  unread: { firstId: number; count: number } | null;
  /** Whether older messages exist. */
  hasOlder: boolean;
}

/**
 * The separators above a message depend on the message before it. While that is not loaded, the
 * oldest loaded message is not shown itself: so older pages only add rows at the top and change
 * none.
 */
function withoutOldest(entries: Entry[]): Entry[] {
  const oldest = entries.findIndex(({ kind }) => kind === 'message');
  const rest = entries.slice(oldest + 1);
  return rest.some(({ kind }) => kind === 'message') ? rest : entries;
}

/** Sorts messages by id, activities by time among them, and unsent messages last. */
export function entriesOf({ messages, activities, outbox, unread, hasOlder }: Sources): Entry[] {
  const entries: Entry[] = [];
  let shownDay = 0;
  // A clock that went back a little must not create a second separator for the same day.
  const openDay = (day: string, before: string) => {
    const start = new Date(day).setHours(0, 0, 0, 0);
    if (start <= shownDay) return;
    shownDay = start;
    entries.push({ kind: 'day', key: `day-before-${before}`, day });
  };
  const addActivity = (activity: TicketActivity) => {
    const key = `activity-${activity.id}`;
    openDay(activity.createdAt, key);
    entries.push({ kind: 'activity', key, day: activity.createdAt, activity });
  };

  let hasSigned = false;
  /** A file without a caption has no signature: then the next text of its group shows it. */
  const bubble = (first: boolean, body: string): Bubble => {
    const signs = first || !hasSigned;
    hasSigned = !signs || withoutSignature(body) !== body;
    return { first, signs };
  };

  let nextActivity = 0;
  let ticketId: number | undefined;
  for (const message of messages) {
    const day = message.createdAt;
    for (
      let activity = activities[nextActivity];
      activity && activity.createdAt < message.createdAt;
      activity = activities[nextActivity]
    ) {
      addActivity(activity);
      nextActivity += 1;
    }
    const key = `message-${message.id}`;
    openDay(day, key);
    if (ticketId !== undefined && ticketId !== message.ticketId) {
      const divider = { closedId: ticketId, startedId: message.ticketId };
      entries.push({ kind: 'ticket', key: `ticket-${message.id}`, day, ...divider });
    }
    ticketId = message.ticketId;
    if (unread?.firstId === message.id)
      entries.push({ kind: 'unread', key: 'unread', day, count: unread.count });
    const shape = bubble(
      !continues(entries.at(-1), message),
      message.fromMe && !message.isDeleted ? message.body : '',
    );
    entries.push({ kind: 'message', key, day, message, ...shape });
  }
  for (const activity of activities.slice(nextActivity)) addActivity(activity);
  for (const item of outbox) {
    openDay(item.createdAt, item.clientId);
    const before = entries.at(-1);
    const follows =
      before?.kind === 'outbox' ||
      (before?.kind === 'message' &&
        before.message.fromMe &&
        before.message.userId === item.userId);
    entries.push({
      kind: 'outbox',
      key: `outbox-${item.clientId}`,
      day: item.createdAt,
      item,
      ...bubble(!follows, item.body),
    });
  }
  return hasOlder ? withoutOldest(entries) : entries;
}
