import { useEffect, useState, type RefObject } from 'react';

export interface OffScreen {
  above: number;
  below: number;
}

/** Counts the rows above and below the visible part; half a visible row is on screen. */
export function offScreen(
  rows: number,
  { scrollTop, clientHeight }: Pick<Element, 'scrollTop' | 'clientHeight'>,
  rowHeight: number,
): OffScreen {
  // Without a size nothing is known yet.
  if (clientHeight === 0) return { above: 0, below: 0 };
  const above = Math.min(rows, Math.max(0, Math.round(scrollTop / rowHeight)));
  const seen = Math.round((scrollTop + clientHeight) / rowHeight);
  return { above, below: Math.max(0, rows - seen) };
}

/** The numbers of rows of equal height that a scrolled list hides. */
export function useOffScreen(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number,
): OffScreen {
  const [hidden, setHidden] = useState<OffScreen>({ above: 0, below: 0 });
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const measure = () => {
      const now = offScreen(rows, box, rowHeight);
      setHidden((before) =>
        before.above === now.above && before.below === now.below ? before : now,
      );
    };
    measure();
    box.addEventListener('scroll', measure, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [scroller, rows, rowHeight]);
  return hidden;
}
