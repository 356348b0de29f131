import type { Ticket } from './types';

type Marked = Pick<Ticket, 'handedOver' | 'handedOverById'>;

/** Whether somebody else handed the ticket over and it was not opened since (rules/tickets §7). */
export const isHandedOver = (ticket: Marked, userId: number): boolean =>
  ticket.handedOver && ticket.handedOverById !== userId;

/** Whether a user's lists show the ticket as unread. */
export const isUnread = (ticket: Marked & Pick<Ticket, 'unreadMessages'>, userId: number) =>
  ticket.unreadMessages > 0 || isHandedOver(ticket, userId);
