import type { Queue } from '@/features/queues/api';
import type { User } from '@/features/users/api';
import type { SessionUser } from '@/lib/api/types';
import { fieldsInWords } from '@/lib/forms';
import { may } from '@/lib/permissions';
import type { Ticket } from './types';

type Person = Pick<User, 'role' | 'queues'>;
type Choice = Pick<Queue, 'id' | 'name'>;

/** Whether the role lets the user hold tickets of every queue. */
const isEverywhere = (user: Person) => user.role === 'admin' || user.role === 'supervisor';

/** Whether a user can receive tickets: an admin or supervisor, or a user of any queue. */
export const mayHold = (user: Person) => isEverywhere(user) || user.queues.length > 0;

/**
 * The queues to which a ticket may go: those of the chosen user; all for an admin without queues.
 */
export function queuesOf(user: Person | null, all: readonly Choice[]): readonly Choice[] {
  if (!user || (isEverywhere(user) && user.queues.length === 0)) return all;
  return user.queues;
}

/**
 * The preselected queue for a user: the current choice if it is theirs, else their only one, else
 * the ticket's.
 */
export function queueFor(user: Person, chosen: string, current: number | null): string {
  if (isEverywhere(user) && user.queues.length === 0) return chosen;
  const ids = user.queues.map(({ id }) => String(id));
  if (ids.includes(chosen)) return chosen;
  if (ids.length === 1) return ids[0] ?? '';
  return ids.includes(String(current)) ? String(current) : '';
}

/**
 * The status to request. Without a user the ticket becomes pending, whatever it was
 * (rules/tickets §3); with one a closed ticket becomes open; otherwise the new holder is enough.
 */
export function statusFor(ticket: Pick<Ticket, 'status'>, userId: number | null) {
  if (userId === null) return 'pending';
  return ticket.status === 'closed' ? 'open' : undefined;
}

/** The server's error for one field, in words. */
export function fieldError(error: unknown, field: string): string | undefined {
  return fieldsInWords(error)[field]?.[0];
}

/** Whether a user still sees a ticket (rules/tickets §6). */
export const seesTicket = (
  ticket: Pick<Ticket, 'status' | 'userId' | 'queueId'>,
  user: SessionUser,
) =>
  may(user, 'tickets:seeAll') ||
  ticket.userId === user.id ||
  (may(user, 'tickets:seeQueues') &&
    (user.queues.some(({ id }) => id === ticket.queueId) ||
      user.company.settings.some(
        ({ key, value }) => key === 'allowToSpyMessage' && value === 'enabled',
      )));
