import type { Ticket } from './types';

export interface ListedRow {
  ticket: Ticket;
  /** The ticket has left the list; its row stays only until the pointer rests. */
  isGone: boolean;
}

export interface HeldRows {
  rows: ListedRow[];
  /** The number of tickets that have come into the list, or moved up in it, meanwhile. */
  news: number;
}

/**
 * Keeps the rows in their current order: newer tickets are held back, and removed ones keep their
 * place.
 */
export function heldRows(held: readonly Ticket[], now: readonly Ticket[]): HeldRows {
  const places = new Map(now.map((ticket, index) => [ticket.id, index]));
  const before = new Set(held.map(({ id }) => id));
  const rows = held.map((ticket): ListedRow => {
    const place = places.get(ticket.id);
    const current = place === undefined ? undefined : now[place];
    return current ? { ticket: current, isGone: false } : { ticket, isGone: true };
  });
  // Older tickets are the next page: they are appended.
  const lastHeld = held.findLast(({ id }) => places.has(id));
  const end = lastHeld ? (places.get(lastHeld.id) ?? -1) : -1;
  const isOlder = (ticket: Ticket, index: number) => !before.has(ticket.id) && index > end;
  const next = now.filter(isOlder).map((ticket): ListedRow => ({ ticket, isGone: false }));
  const added = now.filter((ticket, index) => !before.has(ticket.id) && index <= end).length;
  return { rows: [...rows, ...next], news: added + movedUp(held, places) };
}

/** Counts the held tickets that now stand above one that they stood below. */
function movedUp(held: readonly Ticket[], places: ReadonlyMap<number, number>): number {
  let lowest = -1;
  let count = 0;
  for (const { id } of held) {
    const place = places.get(id);
    if (place === undefined) continue;
    if (place < lowest) count += 1;
    else lowest = place;
  }
  return count;
}
