import { daysUntil, formatDuration } from '@/lib/format';
import type { Invoice } from './types';

export type Standing = 'paid' | 'cancelled' | 'refunded' | 'overdue' | 'open';

/** The state of an invoice today; it is overdue after its due date has passed. */
export function standingOf(
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  now: Date = new Date(),
): Standing {
  if (status !== 'open') return status;
  return daysUntil(dueDate, now) < 0 ? 'overdue' : 'open';
}

/** The remaining time of a code as '59:07'; null if it has expired. */
export function timeLeft(expiresAt: string, now: number): string | null {
  const seconds = Math.ceil((new Date(expiresAt).getTime() - now) / 1000);
  return seconds > 0 ? formatDuration(seconds) : null;
}
