import { create } from 'zustand';

interface ListFocus {
  /** The row to focus when the list is there; without an id its current one. */
  wanted: { ticketId: number | null } | null;
}

export const useListFocus = create<ListFocus>(() => ({ wanted: null }));

const PRESSES = ['keydown', 'pointerdown'] as const;

/**
 * Leads the keyboard to the list, now or once it is shown, but not after the next press of a key or
 * of a pointer: by then one does something else, and the focus must not be taken from under it.
 */
export function focusList(ticketId: number | null = null) {
  useListFocus.setState({ wanted: { ticketId } });
  for (const press of PRESSES) window.addEventListener(press, endListFocus, true);
}

export function endListFocus() {
  for (const press of PRESSES) window.removeEventListener(press, endListFocus, true);
  useListFocus.setState({ wanted: null });
}
