import { useEffect, useRef, type SyntheticEvent } from 'react';
import { useStableCallback } from '@/lib/useStableCallback';

/** A pointer that stays on a row this long may be about to open it; a passing one is ignored. */
const REST_MS = 80;

/** Reports the row, by its ticket's id, on which the pointer or the focus rests. */
export function useRest(onRest: (ticketId: number) => void) {
  const timer = useRef(0);
  const restingOn = useRef<number | null>(null);
  const tell = useStableCallback(onRest);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const leave = () => {
    window.clearTimeout(timer.current);
    restingOn.current = null;
  };
  const come = ({ target }: SyntheticEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-ticket]') : null;
    const ticketId = Number(row?.dataset.ticket);
    if (ticketId === restingOn.current) return;
    leave();
    if (!ticketId) return;
    restingOn.current = ticketId;
    timer.current = window.setTimeout(() => tell(ticketId), REST_MS);
  };
  return { onPointerOver: come, onFocus: come, leave };
}
