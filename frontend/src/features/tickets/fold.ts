import { can } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import type { Ticket, TicketFilters, TicketPages, TicketStatus } from './api';

/** Whose lists they are. */
export interface Reader {
  userId: number;
  /** Ids of the queues the reader works in. */
  queues: readonly number[];
  isAdmin?: boolean;
}

/** The signed-in user as the reader of lists. */
export function useReader(): Reader {
  const user = useCurrentUser();
  return {
    userId: user.id,
    queues: user.queues.map(({ id }) => id),
    isAdmin: can(user, 'tickets-manager:showall'),
  };
}

/**
 * Whether a ticket belongs into a list, as the server decides it (rules §4.4).
 * A text search can't be judged here: undefined.
 */
export function belongs(
  ticket: Ticket,
  filters: TicketFilters,
  reader: Reader,
): boolean | undefined {
  if (filters.status && ticket.status !== filters.status) return false;
  if (filters.search) return undefined;
  if (filters.queues.length > 0 && !filters.queues.includes(ticket.queueId ?? 0)) return false;
  if (filters.showAll || ticket.userId === reader.userId) return true;
  if (ticket.status !== 'pending') return false;
  return ticket.queueId === null ? Boolean(reader.isAdmin) : reader.queues.includes(ticket.queueId);
}

const mapTickets = (pages: TicketPages, change: (tickets: Ticket[]) => Ticket[]): TicketPages => ({
  ...pages,
  pages: pages.pages.map((page) => {
    const tickets = change(page.tickets);
    return tickets === page.tickets ? page : { ...page, tickets };
  }),
});

function countBy(pages: TicketPages, difference: number): TicketPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, count: Math.max(0, page.count + difference) })),
  };
}

const has = (pages: TicketPages, id: number) =>
  pages.pages.some(({ tickets }) => tickets.some((ticket) => ticket.id === id));

/** Takes a ticket out of a list. */
export function removeTicket(pages: TicketPages, id: number): TicketPages {
  if (!has(pages, id)) return pages;
  return countBy(
    mapTickets(pages, (tickets) => tickets.filter((ticket) => ticket.id !== id)),
    -1,
  );
}

/** Puts a changed ticket into a list, moves it, or takes it out; older news change nothing. */
export function foldTicket(
  pages: TicketPages,
  ticket: Ticket,
  filters: TicketFilters,
  reader: Reader,
): TicketPages {
  const known = pages.pages.flatMap(({ tickets }) => tickets).find(({ id }) => id === ticket.id);
  if (known && known.updatedAt > ticket.updatedAt) return pages;
  const wanted = belongs(ticket, filters, reader);
  if (wanted === false) return removeTicket(pages, ticket.id);
  if (known) {
    return mapTickets(pages, (tickets) =>
      tickets.some(({ id }) => id === ticket.id)
        ? tickets.map((other) => (other.id === ticket.id ? ticket : other))
        : tickets,
    );
  }
  const [first] = pages.pages;
  if (!wanted || !first) return pages;
  const last = pages.pages.at(-1);
  const oldest = last?.tickets.at(-1);
  // Older than all that is loaded: it comes with its own page.
  if (last?.hasMore && oldest && ticket.updatedAt < oldest.updatedAt) return countBy(pages, 1);
  return countBy(
    {
      ...pages,
      pages: [{ ...first, tickets: [ticket, ...first.tickets] }, ...pages.pages.slice(1)],
    },
    1,
  );
}

/** Changes the rows that a test picks, wherever they are. */
export function patchTickets(
  pages: TicketPages,
  picks: (ticket: Ticket) => boolean,
  patch: (ticket: Ticket) => Ticket,
): TicketPages {
  return mapTickets(pages, (tickets) =>
    tickets.some(picks)
      ? tickets.map((ticket) => (picks(ticket) ? patch(ticket) : ticket))
      : tickets,
  );
}

/** Whether a delete event concerns a list: a change of status only leaves the old status's. */
export function leavesList(filters: TicketFilters, oldStatus: TicketStatus | undefined): boolean {
  return oldStatus === undefined || filters.status === oldStatus;
}
