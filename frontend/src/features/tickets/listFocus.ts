import { create } from 'zustand';

interface ListFocus {
  /** The row to focus when the list is there; without an id its current one. */
  wanted: { ticketId: number | null } | null;
}

export const useListFocus = create<ListFocus>(() => ({ wanted: null }));

/** Leads the keyboard to the list, now or once it is shown. */
export const focusList = (ticketId: number | null = null) =>
  useListFocus.setState({ wanted: { ticketId } });

export const endListFocus = () => useListFocus.setState({ wanted: null });
