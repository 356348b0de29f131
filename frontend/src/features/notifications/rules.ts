import type { Mention } from '@/features/messages/api';
import { autoResponderOf, isHandedOver, type Ticket } from '@/features/tickets/api';
import type { LiveEvent, SessionUser } from '@/lib/api/types';
import { may } from '@/lib/permissions';

/** How long free text may be sent after the contact's message (rules/messages §4). */
const WINDOW_MS = 24 * 3_600_000;

export type Activity = NonNullable<Extract<LiveEvent<'ticket'>, { action: 'update' }>['event']>;

/**
 * A new message from a live event; without a message, the bot or a person handed the ticket over.
 */
export interface Arrival {
  message: {
    id: number;
    fromMe: boolean;
    body: string;
    mediaType: string;
    /** Read already, as what is said to another responder of the number. */
    read: boolean;
  } | null;
  ticket: Ticket;
  /** How a person handed it over, or the note that mentions the user. */
  activity?: Activity;
  /** When its 24-hour window closes, of which the holder is told in its last hour. */
  closesAt?: string;
  /** It concerns the user, whoever holds the ticket: a message they wait for, or a mention. */
  isAwaited?: boolean;
  /** Somebody changed a ticket that the user follows. */
  isFollowed?: boolean;
}

/**
 * Returns the arrival if the bot, a timeout, another responder of the number or somebody else has
 * just handed a ticket over to the users, or to one of them.
 */
export function handedOver(change: LiveEvent<'ticket'>, userId: number): Arrival | null {
  if (change.action !== 'update' || !change.event) return null;
  const { ticket, event } = change;
  if (isHandedOver(ticket, userId) && isMove(event))
    return { message: null, ticket, activity: event };
  // If it was answered on the phone itself, nobody needs to be notified.
  const left =
    event.kind === 'queued' ||
    event.kind === 'control_passed' ||
    (event.kind === 'bot_ended' && event.reason !== 'phone');
  return left ? { message: null, ticket } : null;
}

/** The arrival of a window that closes soon. */
export const closing = ({ ticket, closesAt }: LiveEvent<'ticketWindow'>): Arrival => ({
  message: null,
  ticket,
  closesAt,
});

/** The arrivals of the windows of these tickets that close after `now`, in milliseconds. */
export const closingOf = (tickets: readonly Ticket[], now: number): Arrival[] =>
  tickets.flatMap((ticket) => {
    const closesAt = Date.parse(ticket.lastInboundAt ?? '') + WINDOW_MS;
    if (!(closesAt > now)) return [];
    return [{ message: null, ticket, closesAt: new Date(closesAt).toISOString() }];
  });

/** The arrival of a message for which the user waits. */
export const awaited = ({
  message,
  ticket,
}: Pick<
  Extract<LiveEvent<'ticketFollow'>, { action: 'update' }>,
  'message' | 'ticket'
>): Arrival => ({
  message,
  ticket,
  isAwaited: true,
});

/** The arrival of a change of a ticket that the user follows. */
export const changed = ({
  ticket,
  event,
}: Extract<LiveEvent<'ticketFollow'>, { action: 'changed' }>): Arrival => ({
  message: null,
  ticket,
  activity: event,
  isAwaited: true,
  isFollowed: true,
});

/** The arrival of a note that mentions the user, whoever holds the ticket. */
export const mentioned = ({ note, ticket }: Pick<Mention, 'note' | 'ticket'>): Arrival => ({
  message: null,
  ticket,
  activity: note,
  isAwaited: true,
});

/** A person or a timer gave it to the users; when the contact woke it, their message tells. */
const isMove = ({ kind, by }: Activity) =>
  kind === 'transferred' ||
  kind === 'returned' ||
  kind === 'reopened' ||
  (kind === 'woken' && by === 'due');

type Person = Pick<SessionUser, 'id' | 'queues' | 'granted'>;

/**
 * Whether it concerns a user: a contact's message in a ticket that the user holds or that waits for
 * them. Messages to a bot concern nobody.
 */
export function concerns({ message, ticket, isAwaited }: Arrival, user: Person): boolean {
  if (isAwaited) return true;
  if (message?.fromMe || message?.read) return false;
  if (ticket.userId !== null) return ticket.userId === user.id && ticket.status === 'open';
  if (ticket.status !== 'pending' || autoResponderOf(ticket)) return false;
  return ticket.queueId === null
    ? may(user, 'tickets:seeAll')
    : may(user, 'tickets:seeQueues') && user.queues.some(({ id }) => id === ticket.queueId);
}

/**
 * The arrivals that still concern a user after a ticket has changed: what the distribution or a
 * colleague has meanwhile given to somebody else does not.
 */
export const stillConcerning = (
  arrivals: readonly Arrival[],
  ticket: Ticket,
  user: Person,
): Arrival[] =>
  arrivals.filter((each) => each.ticket.id !== ticket.id || concerns({ ...each, ticket }, user));

/** A notification for the messages of one moment. */
export type Notice =
  | { kind: 'ticket'; arrival: Arrival; count: number }
  /** `messages` is 0 if all were handed over. */
  | { kind: 'summary'; messages: number; tickets: number };

/** More tickets than this share one notification. */
export const MOST_AT_ONCE = 3;

/**
 * One notification for each ticket, with its hand-over or its newest message; a single one if there
 * are many.
 */
export function noticesOf(arrivals: readonly Arrival[]): Notice[] {
  const byTicket = new Map<number, Arrival[]>();
  for (const arrival of arrivals)
    byTicket.set(arrival.ticket.id, [...(byTicket.get(arrival.ticket.id) ?? []), arrival]);
  const notices = [...byTicket.values()].flatMap((group) => {
    const messages = group.filter(({ message }) => message !== null);
    const given = group.findLast(({ activity, closesAt }) => activity ?? closesAt);
    const awaited = messages.find(({ isAwaited }) => isAwaited);
    const arrival = given ?? awaited ?? messages.at(-1) ?? group.at(-1);
    // A message that the user waits for is told twice where the user also holds the ticket.
    const count = new Set(messages.map(({ message }) => message?.id)).size;
    return arrival ? [{ kind: 'ticket' as const, arrival, count: count || 1 }] : [];
  });
  if (notices.length <= MOST_AT_ONCE) return notices;
  const messages = arrivals.filter(({ message }) => message !== null).length;
  return [{ kind: 'summary', messages, tickets: notices.length }];
}
