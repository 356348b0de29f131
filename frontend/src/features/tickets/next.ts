import type { Ticket } from './types';

type Placed = Pick<Ticket, 'id' | 'updatedAt'>;

const isBelow = (ticket: Placed, other: Placed) =>
  ticket.updatedAt === other.updatedAt ? ticket.id < other.id : ticket.updatedAt < other.updatedAt;

/**
 * What to do next in a list, newest first, after one of its tickets was finished: the one below
 * it, else the one above. `done` is the ticket as it stood there; it may have left already.
 */
export function nextAfter<Row extends Placed>(tickets: readonly Row[], done: Placed): Row | null {
  const others = tickets.filter(({ id }) => id !== done.id);
  return others.find((ticket) => isBelow(ticket, done)) ?? others.at(-1) ?? null;
}
