import { useLayoutEffect, useRef, type RefObject } from 'react';
import { firstField, placeBefore, placeWithin } from '@/lib/focus';

interface DialogFocus {
  /** Of the dialog's content. */
  ref: RefObject<HTMLDivElement | null>;
  initialFocusEl: () => HTMLElement | null;
  finalFocusEl: () => HTMLElement | null;
}

/**
 * Manages the focus of a dialog: focuses its first field as soon as there is one, else the dialog
 * itself, never its close button; afterwards focuses the element that opened it.
 */
export function useDialogFocus(open: boolean, initial?: () => HTMLElement | null): DialogFocus {
  const ref = useRef<HTMLDivElement>(null);
  /** Outlives the content, which is unmounted when the focus returns. */
  const shown = useRef<HTMLDivElement>(null);
  const start = () => {
    const content = ref.current;
    if (!content) return null;
    shown.current = content;
    const active = document.activeElement;
    const has = active instanceof HTMLElement && active !== content && content.contains(active);
    return has ? active : (placeWithin(content) ?? initial?.() ?? firstField(content) ?? content);
  };
  // After each render: the field may appear only after loading.
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
      // A layer that opened later already has the focus.
      const isTaken = layer && layer !== shown.current && !(before && layer.contains(before));
      return isTaken ? (active as HTMLElement) : before;
    },
  };
}
