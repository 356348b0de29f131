import { create } from 'zustand';

/** What stands at the end of a drawer entry; null shows nothing. */
interface Badges {
  /** Open and waiting tickets together. */
  tickets: number | null;
  /** Unread conversations, before the page's title. */
  unread: number;
  /** Chats of the team in which something is unread. */
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
