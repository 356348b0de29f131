import { autoResponderOf, type Ticket } from '@/features/tickets/api';
import type { LiveEvent, SessionUser } from '@/lib/api/types';
import { can } from '@/lib/permissions';

/** A new message, as the live event brings it; without one, the bot left the ticket to people. */
export interface Arrival {
  message: { id: number; fromMe: boolean; body: string; mediaType: string } | null;
  ticket: Ticket;
}

/** A ticket that the bot, or a time that ran out, left to people just now. */
export function handedOver(change: LiveEvent<'ticket'>): Arrival | null {
  if (change.action !== 'update' || !change.event) return null;
  const { ticket, event } = change;
  // On the telephone itself somebody has answered already.
  const left = event.kind === 'queued' || (event.kind === 'bot_ended' && event.reason !== 'phone');
  return left ? { message: null, ticket } : null;
}

type Person = Pick<SessionUser, 'id' | 'queues' | 'permissions'>;

/**
 * Whether it is for someone: a customer's message in a ticket that they hold or that waits for
 * them. What is said to a bot waits for nobody.
 */
export function concerns({ message, ticket }: Arrival, user: Person): boolean {
  if (message?.fromMe) return false;
  if (ticket.userId !== null) return ticket.userId === user.id && ticket.status === 'open';
  if (ticket.status !== 'pending' || autoResponderOf(ticket)) return false;
  return ticket.queueId === null
    ? can(user, 'tickets-manager:showall')
    : user.queues.some(({ id }) => id === ticket.queueId);
}

/** What is shown for one moment's messages. */
export type Notice =
  | { kind: 'ticket'; arrival: Arrival; count: number }
  | { kind: 'summary'; messages: number; tickets: number };

/** More tickets than this at once are told in one notice. */
export const MOST_AT_ONCE = 3;

/** One notice for a ticket, with its newest message; one for all when they are many. */
export function noticesOf(arrivals: readonly Arrival[]): Notice[] {
  const byTicket = new Map<number, Arrival[]>();
  for (const arrival of arrivals)
    byTicket.set(arrival.ticket.id, [...(byTicket.get(arrival.ticket.id) ?? []), arrival]);
  const notices = [...byTicket.values()].flatMap((group) => {
    const messages = group.filter(({ message }) => message !== null);
    const arrival = messages.at(-1) ?? group.at(-1);
    return arrival ? [{ kind: 'ticket' as const, arrival, count: messages.length || 1 }] : [];
  });
  if (notices.length <= MOST_AT_ONCE) return notices;
  const messages = notices.reduce((sum, { count }) => sum + count, 0);
  return [{ kind: 'summary', messages, tickets: notices.length }];
}
