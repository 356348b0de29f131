import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Ticket = Schemas['Ticket'];
export type TicketStatus = Ticket['status'];
export type Priority = Ticket['priority'];
export type TicketsPage = Schemas['TicketPage'];
export type TicketCounts = Schemas['TicketCounts'];
export type TicketPages = InfiniteData<TicketsPage>;

/**
 * The filters of a list. `queues`: any of them, 0 for 'without queue', empty means all. `tags`: all
 * of them; `users`: any of them.
 */
export interface TicketFilters {
  status?: TicketStatus;
  showAll: boolean;
  queues: readonly number[];
  tags?: readonly number[];
  users?: readonly number[];
  unread?: boolean;
  /** Only tickets that a campaign began and nobody answered. */
  campaigns?: boolean;
  /** Only tickets whose 24-hour window closes within the hour and whose contact waits. */
  closing?: boolean;
  /** Only snoozed tickets; without it lists of live tickets leave them out. */
  snoozed?: boolean;
  search?: string;
  /** Without it the newest change comes first. */
  order?: 'longest_waiting' | 'nearest_deadline';
}

/** The user whose lists are shown. */
export interface Reader {
  userId: number;
  /** Ids of the queues the reader works in. */
  queues: readonly number[];
  isAdmin?: boolean;
  /**
   * Whether the show-all switch has an effect: for admins, and for all users while the company
   * allows reading every conversation.
   */
  seesAll?: boolean;
  /** Whether the waiting list begins with the longest wait. */
  longestFirst?: boolean;
  /** Whether the company has deadlines, by which lists may be sorted. */
  hasDeadlines?: boolean;
}
