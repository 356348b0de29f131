import type { InfiniteData } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Ticket = Schemas['Ticket'];
export type TicketStatus = Ticket['status'];
export type TicketsPage = Schemas['TicketPage'];
export type TicketCounts = Schemas['TicketCounts'];
export type TicketPages = InfiniteData<TicketsPage>;

/**
 * What a list shows. `queues`: chosen queues, 0 for 'without queue'; empty is all. `tags`: all of
 * them; `users`: any of them.
 */
export interface TicketFilters {
  status?: TicketStatus;
  showAll: boolean;
  queues: readonly number[];
  tags?: readonly number[];
  users?: readonly number[];
  unread?: boolean;
  search?: string;
}

/** Whose lists they are. */
export interface Reader {
  userId: number;
  /** Ids of the queues the reader works in. */
  queues: readonly number[];
  isAdmin?: boolean;
  /** Whether show-all means anything: for admins, and for all while spying is allowed. */
  seesAll?: boolean;
}
