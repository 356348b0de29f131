import type { Ticket } from './types';

/**
 * The ticket that Alt with an arrow key opens: the one below or above the open one. If the list
 * does not contain the open ticket, the row that has or last had the focus, else the first row.
 */
export function stepFrom<Row extends Pick<Ticket, 'id' | 'uuid'>>(
  tickets: readonly Row[],
  openUuid: string | undefined,
  step: 1 | -1,
  restingId: number | null = null,
): Row | undefined {
  const place = tickets.findIndex(({ uuid }) => uuid === openUuid);
  if (place >= 0) return tickets[place + step];
  return tickets.find(({ id }) => id === restingId) ?? tickets[0];
}

type Placed = Pick<Ticket, 'id' | 'updatedAt'>;

const isBelow = (ticket: Placed, other: Placed) =>
  ticket.updatedAt === other.updatedAt ? ticket.id < other.id : ticket.updatedAt < other.updatedAt;

/**
 * The ticket to show after a ticket of the list was finished: the one below it, else the last one
 * above. The list is sorted newest first. `done` is the ticket's state before; it may have left the
 * list.
 */
export function nextAfter<Row extends Placed>(tickets: readonly Row[], done: Placed): Row | null {
  const others = tickets.filter(({ id }) => id !== done.id);
  return others.find((ticket) => isBelow(ticket, done)) ?? others.at(-1) ?? null;
}
