import {
  belongs,
  patchTickets,
  removeTicket,
  type Reader,
  type Ticket,
  type TicketPages,
  type TicketStatus,
} from '@/features/tickets/api';
import { laneOf } from './lanes';
import type { BoardFilters } from './types';

/** Whether a ticket stands on the board of these filters, as on the server (rules/tickets §10). */
export const isOnBoard = (ticket: Ticket, filters: BoardFilters, reader: Reader): boolean =>
  ticket.status !== 'closed' && belongs(ticket, filters, reader);

/** Who serves a ticket moves it: its holder, its queue's members, admins (rules/tickets §5). */
export const mayMove = (ticket: Ticket, reader: Reader): boolean =>
  reader.isAdmin === true ||
  (ticket.status === 'open' && ticket.userId === reader.userId) ||
  (ticket.queueId !== null && reader.queues.includes(ticket.queueId));

const find = (pages: TicketPages, id: number) =>
  pages.pages.flatMap(({ tickets }) => tickets).find((ticket) => ticket.id === id);

/** Puts a ticket into its lane, moves it there, or takes it out of a lane that it left. */
export function foldIntoLane(
  pages: TicketPages,
  ticket: Ticket,
  laneId: number,
  filters: BoardFilters,
  reader: Reader,
): TicketPages {
  if (laneOf(ticket) !== laneId || !isOnBoard(ticket, filters, reader))
    return removeTicket(pages, ticket.id);
  if (find(pages, ticket.id))
    return patchTickets(pages, { picks: ({ id }) => id === ticket.id, patch: () => ticket });
  const [first, ...rest] = pages.pages;
  if (!first) return pages;
  // Its place comes from its time; also an old one is shown at once where it was dropped.
  return {
    ...pages,
    pages: [{ ...first, tickets: [ticket, ...first.tickets] }, ...rest].map((page) => ({
      ...page,
      count: page.count + 1,
    })),
  };
}

/** Takes a ticket out; a change of status takes only the card that still shows the old one. */
export function foldDeleted(
  pages: TicketPages,
  ticketId: number,
  oldStatus: TicketStatus | undefined,
): TicketPages {
  const known = find(pages, ticketId);
  return known && (oldStatus === undefined || known.status === oldStatus)
    ? removeTicket(pages, ticketId)
    : pages;
}
