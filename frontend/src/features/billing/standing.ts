import { daysUntil, formatDuration } from '@/lib/format';
import type { Invoice } from './types';

export type Standing = 'paid' | 'cancelled' | 'overdue' | 'open';

/** How an invoice stands today; it is overdue once its day is over. */
export function standingOf(
  { status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>,
  now: Date = new Date(),
): Standing {
  if (status === 'paid' || status === 'cancelled') return status;
  return daysUntil(dueDate, now) < 0 ? 'overdue' : 'open';
}

/** What is left of a code's time as '59:07'; null when it is over. */
export function timeLeft(expiresAt: string, now: number): string | null {
  const seconds = Math.ceil((new Date(expiresAt).getTime() - now) / 1000);
  return seconds > 0 ? formatDuration(seconds) : null;
}
