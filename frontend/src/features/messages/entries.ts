import type { OutboxItem } from './outbox';
import type { Message, TicketActivity } from './types';

/** One row of the conversation, by what stands in it. `day` is any moment of its day. */
export type Entry = { key: string; day: string } & (
  | { kind: 'day' }
  | { kind: 'unread'; count: number }
  | { kind: 'ticket'; closedId: number; startedId: number }
  | { kind: 'activity'; activity: TicketActivity }
  | { kind: 'message'; message: Message; first: boolean }
  | { kind: 'outbox'; item: OutboxItem; first: boolean }
);

/** A pause this long begins a new group of bubbles. */
const GROUP_MS = 10 * 60_000;

/** What was unread at opening: how many, and the newest message that was there then. */
export interface Unread {
  count: number;
  lastId: number | null;
}

/** The message before which the unread ones begin; null when it is older than these. */
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
  /** Whether more messages come before these. */
  hasOlder: boolean;
}

/**
 * What stands above a message depends on the one before it. While that is not loaded, the oldest
 * only tells what stands above the next: so older pages add rows at the top and change none.
 */
function withoutOldest(entries: Entry[]): Entry[] {
  const oldest = entries.findIndex(({ kind }) => kind === 'message');
  const rest = entries.slice(oldest + 1);
  return rest.some(({ kind }) => kind === 'message') ? rest : entries;
}

/** Messages by id, the history's lines at their time among them, what is unsent at the end. */
export function entriesOf({ messages, activities, outbox, unread, hasOlder }: Sources): Entry[] {
  const entries: Entry[] = [];
  let shownDay = 0;
  // A clock that went back a little opens no second line for a day that was begun.
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
    const first = !continues(entries.at(-1), message);
    entries.push({ kind: 'message', key, day, message, first });
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
      first: !follows,
    });
  }
  return hasOlder ? withoutOldest(entries) : entries;
}
