import type { Queue } from '@/features/queues/api';
import type { User } from '@/features/users/api';
import type { SessionUser } from '@/lib/api/types';
import { fieldsInWords } from '@/lib/forms';
import { may } from '@/lib/permissions';
import type { Ticket } from './types';

type Person = Pick<User, 'seesAll' | 'queues'>;
type Choice = Pick<Queue, 'id' | 'name'>;

/** Whether a user can receive tickets: one whose role shows all of them, or a user of any queue. */
export const mayHold = (user: Person) => user.seesAll || user.queues.length > 0;

/**
 * The queues to which a ticket may go: those of the chosen user; all for one without queues who sees
 * all.
 */
export function queuesOf(user: Person | null, all: readonly Choice[]): readonly Choice[] {
  if (!user || (user.seesAll && user.queues.length === 0)) return all;
  return user.queues;
}

/**
 * The queues to which the user may let a ticket go with a person: without `tickets:transfer` only
 * its own.
 */
export function placesOf(
  user: Person,
  all: readonly Choice[],
  { queueId }: Pick<Ticket, 'queueId'>,
  mayMove: boolean,
): readonly Choice[] {
  const queues = queuesOf(user, all);
  return mayMove ? queues : queues.filter(({ id }) => id === queueId);
}

/**
 * The preselected queue for a user: the current choice if it is theirs, else their only one, else
 * the ticket's.
 */
export function queueFor(user: Person, chosen: string, current: number | null): string {
  if (user.seesAll && user.queues.length === 0) return chosen;
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
