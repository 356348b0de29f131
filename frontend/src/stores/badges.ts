import { create } from 'zustand';

/** What stands at the end of a drawer entry; null shows nothing. */
interface Badges {
  /** Open and waiting tickets together. */
  tickets: number | null;
}

export const useBadges = create<Badges>(() => ({ tickets: null }));

export const setTicketsBadge = (tickets: number | null) => useBadges.setState({ tickets });
