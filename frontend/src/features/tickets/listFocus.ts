import { create } from 'zustand';

interface ListFocus {
  /** The row to focus when the list is mounted; without an id the list's current row. */
  wanted: { ticketId: number | null } | null;
}

export const useListFocus = create<ListFocus>(() => ({ wanted: null }));

const PRESSES = ['keydown', 'pointerdown'] as const;

/**
 * Focuses the list now, or when it is mounted. The next key or pointer press cancels the request:
 * the user is then doing something else and must not lose the focus.
 */
export function focusList(ticketId: number | null = null) {
  useListFocus.setState({ wanted: { ticketId } });
  for (const press of PRESSES) window.addEventListener(press, endListFocus, true);
}

export function endListFocus() {
  for (const press of PRESSES) window.removeEventListener(press, endListFocus, true);
  useListFocus.setState({ wanted: null });
}
