import { useEffect, useMemo, useRef, useState } from 'react';
import type { Ticket } from './api';

export interface ListedRow {
  ticket: Ticket;
  /** It has left the list, and keeps its place only until the pointer rests. */
  isGone: boolean;
}

export interface SteadyRows {
  rows: ListedRow[];
  /** How many tickets came in or moved up meanwhile. */
  news: number;
}

/** The rows in the order they had; what came later waits, what left keeps its place. */
export function heldRows(held: readonly Ticket[], now: readonly Ticket[]): SteadyRows {
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

/** A pointer that has not moved for so long is not about to press. */
const RESTS_MS = 1200;

/**
 * The rows of a list that do not jump under a moving pointer. `hold` is for the list's pointer
 * moves, `release` for its leaving.
 */
export function useSteadyRows(tickets: Ticket[]) {
  const [held, setHeld] = useState<readonly Ticket[] | null>(null);
  const timer = useRef(0);
  const shown = useRef(tickets);
  const steady = useMemo(
    (): SteadyRows =>
      held
        ? heldRows(held, tickets)
        : { rows: tickets.map((ticket) => ({ ticket, isGone: false })), news: 0 },
    [held, tickets],
  );
  useEffect(() => {
    shown.current = steady.rows.map(({ ticket }) => ticket);
  });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const release = () => {
    window.clearTimeout(timer.current);
    setHeld(null);
  };
  const hold = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(release, RESTS_MS);
    setHeld((before) => before ?? shown.current);
  };
  return { ...steady, hold, release };
}
