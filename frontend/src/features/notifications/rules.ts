import type { Ticket } from '@/features/tickets/api';
import type { SessionUser } from '@/lib/api/types';
import { can } from '@/lib/permissions';

/** A new message, as the live event brings it. */
export interface Arrival {
  message: { id: number; fromMe: boolean; body: string; mediaType: string };
  ticket: Ticket;
}

type Person = Pick<SessionUser, 'id' | 'queues' | 'permissions'>;

/** Whether a message is for someone: a customer's, in a ticket they hold or that waits for them. */
export function concerns({ message, ticket }: Arrival, user: Person): boolean {
  if (message.fromMe) return false;
  if (ticket.userId !== null) return ticket.userId === user.id && ticket.status === 'open';
  if (ticket.status !== 'pending') return false;
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
  if (byTicket.size > MOST_AT_ONCE)
    return [{ kind: 'summary', messages: arrivals.length, tickets: byTicket.size }];
  return [...byTicket.values()].flatMap((group) => {
    const arrival = group.at(-1);
    return arrival ? [{ kind: 'ticket' as const, arrival, count: group.length }] : [];
  });
}
