import { create } from 'zustand';

/** The counts at the end of the drawer's entries; null shows none. */
interface Badges {
  /** The number of open and waiting tickets together. */
  tickets: number | null;
  /** The number of unread conversations, shown before the page's title. */
  unread: number;
  /** The number of team chats with unread messages. */
  chats: number;
}

export const useBadges = create<Badges>(() => ({
  tickets: null,
  unread: 0,
  chats: 0,
}));

export const setTicketsBadge = (tickets: number | null) => useBadges.setState({ tickets });

export const setUnreadBadge = (unread: number) => useBadges.setState({ unread });

export const setChatsBadge = (chats: number) => useBadges.setState({ chats });
