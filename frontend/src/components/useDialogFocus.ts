import { useLayoutEffect, useRef, type RefObject } from 'react';
import { firstField, placeBefore, placeWithin } from '@/lib/focus';

interface DialogFocus {
  /** Of the dialog's content. */
  ref: RefObject<HTMLDivElement | null>;
  initialFocusEl: () => HTMLElement | null;
  finalFocusEl: () => HTMLElement | null;
}

/**
 * A dialog's focus: in its first field as soon as that is there, else on the dialog itself and
 * never on what closes it; afterwards back at what opened it.
 */
export function useDialogFocus(open: boolean, initial?: () => HTMLElement | null): DialogFocus {
  const ref = useRef<HTMLDivElement>(null);
  /** Outlives the content, which is gone when the focus goes back. */
  const shown = useRef<HTMLDivElement>(null);
  const start = () => {
    const content = ref.current;
    if (!content) return null;
    shown.current = content;
    const active = document.activeElement;
    const has = active instanceof HTMLElement && active !== content && content.contains(active);
    return has ? active : (placeWithin(content) ?? initial?.() ?? firstField(content) ?? content);
  };
  // Whenever it is drawn: what loads may bring the field later.
  useLayoutEffect(() => {
    if (!open || !ref.current) return;
    const isNew = shown.current !== ref.current;
    shown.current = ref.current;
    const active = document.activeElement;
    if (active === ref.current || (isNew && !ref.current.contains(active)))
      start()?.focus({ preventScroll: true });
  });
  return {
    ref,
    initialFocusEl: start,
    finalFocusEl: () => {
      const active = document.activeElement;
      const before = placeBefore(shown.current);
      const layer = active?.closest('[role=dialog], [role=alertdialog], [role=menu], dialog');
      // What opened after it has the focus already.
      const isTaken = layer && layer !== shown.current && !(before && layer.contains(before));
      return isTaken ? (active as HTMLElement) : before;
    },
  };
}
