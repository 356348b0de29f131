import type { Ticket } from './types';

export interface ListedRow {
  ticket: Ticket;
  /** It has left the list, and keeps its place only until the pointer rests. */
  isGone: boolean;
}

export interface HeldRows {
  rows: ListedRow[];
  /** How many tickets came in or moved up meanwhile. */
  news: number;
}

/** The rows in the order they had; what came later waits, what left keeps its place. */
export function heldRows(held: readonly Ticket[], now: readonly Ticket[]): HeldRows {
  const places = new Map(now.map((ticket, index) => [ticket.id, index]));
  const before = new Set(held.map(({ id }) => id));
  const rows = held.map((ticket): ListedRow => {
    const place = places.get(ticket.id);
    const current = place === undefined ? undefined : now[place];
    return current ? { ticket: current, isGone: false } : { ticket, isGone: true };
  });
  // Older ones are the next page: they come below.
  const lastHeld = held.findLast(({ id }) => places.has(id));
  const end = lastHeld ? (places.get(lastHeld.id) ?? -1) : -1;
  const isOlder = (ticket: Ticket, index: number) => !before.has(ticket.id) && index > end;
  const next = now.filter(isOlder).map((ticket): ListedRow => ({ ticket, isGone: false }));
  const news = now.filter((ticket, index) => !before.has(ticket.id) && index <= end).length;
  return { rows: [...rows, ...next], news };
}
