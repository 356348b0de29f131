import type { Ticket } from '@/features/tickets/api';

/** A ticket that is lifted: from whom, and over whom it is now; null is nobody, 0 the queue. */
export interface Drag {
  ticket: Ticket;
  from: number;
  over: number | null;
}

/** The queue, as the place beside people to which a ticket may go. */
export const QUEUE = 0;
export const userOf = (place: number) => (place === QUEUE ? null : place);

/** The next place in a direction, staying at the ends. */
export function nextPlace(places: readonly number[], at: number | null, step: 1 | -1): number {
  const index = at === null ? -1 : places.indexOf(at);
  const next = Math.min(Math.max(index + step, 0), places.length - 1);
  return places[next] ?? QUEUE;
}
