import { useEffect, useMemo, useRef, useState } from 'react';
import { heldRows, type HeldRows } from './heldRows';
import type { Ticket } from './types';

/** A pointer that has not moved for this long is not about to press. */
const RESTS_MS = 1200;

/**
 * Holds the rows of a list still under a moving pointer. Call `hold` when the pointer moves over
 * the list and `release` when it leaves.
 */
export function useHeldRows(tickets: Ticket[]) {
  const [held, setHeld] = useState<readonly Ticket[] | null>(null);
  const timer = useRef(0);
  const shown = useRef(tickets);
  const listed = useMemo(
    (): HeldRows =>
      held
        ? heldRows(held, tickets)
        : { rows: tickets.map((ticket) => ({ ticket, isGone: false })), news: 0 },
    [held, tickets],
  );
  useEffect(() => {
    shown.current = listed.rows.map(({ ticket }) => ticket);
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
  return { ...listed, hold, release };
}
