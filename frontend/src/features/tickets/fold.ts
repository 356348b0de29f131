import type { LiveEvent } from '@/lib/api/types';
import { foldText as foldText } from '@/lib/search';
import type { Reader, Ticket, TicketFilters, TicketPages, TicketStatus } from './types';

/** Each ticket once, newest first: pages overlap while rows come and go. */
export function ticketsOf(pages: TicketPages | undefined): Ticket[] {
  const tickets = new Map<number, Ticket>();
  for (const page of pages?.pages ?? [])
    for (const ticket of page.tickets) if (!tickets.has(ticket.id)) tickets.set(ticket.id, ticket);
  return [...tickets.values()].sort(
    (left, right) => right.updatedAt.localeCompare(left.updatedAt) || right.id - left.id,
  );
}

/** Queue 0 of a filter: tickets without one. */
export const NO_QUEUE = 0;

function isInScope(ticket: Ticket, filters: TicketFilters, reader: Reader): boolean {
  const queue = ticket.queueId ?? NO_QUEUE;
  const isAsked = filters.queues.length === 0 || filters.queues.includes(queue);
  if (filters.showAll && reader.seesAll) return isAsked;
  const isOwn = reader.queues.includes(queue);
  const isWaiting =
    ticket.status === 'pending' &&
    isAsked &&
    (queue === NO_QUEUE ? reader.isAdmin === true : isOwn);
  if (filters.status === 'pending' || isWaiting) return isWaiting;
  // Others than admins can only ask for queues of their own.
  const isMine =
    ticket.userId === reader.userId &&
    (filters.queues.length === 0 || (isAsked && (reader.isAdmin === true || isOwn)));
  return isMine;
}

/** Whether a ticket passes a list's filters, as the server decides it (rules/tickets §9); all but a
 * text search, which looks at messages that are not here. */
export function belongs(ticket: Ticket, filters: TicketFilters, reader: Reader): boolean {
  const { status, tags = [], users = [], unread = false } = filters;
  if (status && ticket.status !== status) return false;
  if (!isInScope(ticket, filters, reader)) return false;
  if (users.length > 0 && !users.includes(ticket.userId ?? 0)) return false;
  if (unread && ticket.unreadMessages === 0) return false;
  return tags.every((id) => ticket.tags.some((tag) => tag.id === id));
}

/** Fewer letters find contacts alone, as on the server. */
const SHORTEST_IN_MESSAGES = 3;

const digitsOf = (term: string) => (/[^\d\s()+./-]/.test(term) ? '' : term.replace(/\D/g, ''));

/** Whether a contact is what a search looks for. */
export function isContactFound(contact: Ticket['contact'], search: string): boolean {
  const term = foldText(search);
  const text = foldText(`${contact.name} ${contact.number} ${contact.email}`);
  const digits = digitsOf(term);
  return text.includes(term) || (digits.length >= 3 && contact.number.includes(digits));
}

/** A message that an event brought with its ticket. */
export interface NewMessage {
  id: number;
  body: string;
}

/** The line that a search shows for a ticket; undefined where it can not be judged here. */
function matchOf(
  ticket: Ticket,
  search: string,
  known: Ticket | undefined,
  message: NewMessage | undefined,
): Ticket['match'] {
  if (isContactFound(ticket.contact, search)) return null;
  const term = foldText(search);
  if (message && term.length >= SHORTEST_IN_MESSAGES && foldText(message.body).includes(term))
    return { messageId: message.id, body: message.body };
  return known?.match ?? undefined;
}

const mapTickets = (pages: TicketPages, change: (tickets: Ticket[]) => Ticket[]): TicketPages => {
  const changed = pages.pages.map((page) => {
    const tickets = change(page.tickets);
    return tickets === page.tickets ? page : { ...page, tickets };
  });
  const isSame = changed.every((page, index) => page === pages.pages[index]);
  return isSame ? pages : recounted({ ...pages, pages: changed });
};

/** The length of a list is known once all of it is loaded; until then it stays as answered. */
function recounted(pages: TicketPages): TicketPages {
  if (pages.pages.at(-1)?.hasMore) return pages;
  const count = new Set(pages.pages.flatMap(({ tickets }) => tickets.map(({ id }) => id))).size;
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, count })) };
}

const find = (pages: TicketPages, id: number) =>
  pages.pages.flatMap(({ tickets }) => tickets).find((ticket) => ticket.id === id);

/** Takes tickets out of a list. */
export const dropTickets = (pages: TicketPages, drops: (ticket: Ticket) => boolean): TicketPages =>
  mapTickets(pages, (tickets) =>
    tickets.some(drops) ? tickets.filter((ticket) => !drops(ticket)) : tickets,
  );

/** Takes a ticket out of a list. */
export const removeTicket = (pages: TicketPages, id: number): TicketPages =>
  dropTickets(pages, (ticket) => ticket.id === id);

/**
 * Puts a changed ticket into a list, moves it, or takes it out; older news change nothing. A search
 * may find it by `message`, the new one that came with it.
 */
export function foldTicket(
  pages: TicketPages,
  news: Ticket,
  filters: TicketFilters,
  reader: Reader,
  message?: NewMessage,
): TicketPages {
  const known = find(pages, news.id);
  if (known && known.updatedAt > news.updatedAt) return pages;
  if (!belongs(news, filters, reader)) return known ? removeTicket(pages, news.id) : pages;
  let ticket = news;
  if (filters.search) {
    const match = matchOf(news, filters.search, known, message);
    if (match === undefined) return known ? removeTicket(pages, news.id) : pages;
    ticket = { ...news, match };
  }
  if (known)
    return mapTickets(pages, (tickets) =>
      tickets.some(({ id }) => id === ticket.id)
        ? tickets.map((other) => (other.id === ticket.id ? ticket : other))
        : tickets,
    );
  const [first] = pages.pages;
  if (!first) return pages;
  const last = pages.pages.at(-1);
  const oldest = last?.tickets.at(-1);
  // Older than all that is loaded: it comes with its own page.
  if (last?.hasMore && oldest && ticket.updatedAt < oldest.updatedAt) return pages;
  const front = { ...first, tickets: [ticket, ...first.tickets] };
  return recounted({ ...pages, pages: [front, ...pages.pages.slice(1)] });
}

/** Whether news of a ticket may have brought it into a search, which only the server can say. */
export function isUnsure(
  pages: TicketPages,
  ticket: Ticket,
  filters: TicketFilters,
  reader: Reader,
): boolean {
  if (!filters.search || find(pages, ticket.id) || !belongs(ticket, filters, reader)) return false;
  const { tags = [], users = [], queues, unread = false } = filters;
  const isWhole = filters.showAll && reader.seesAll === true;
  // Without any other filter nothing but its contact and its messages brings a ticket in.
  return !isWhole || tags.length > 0 || users.length > 0 || queues.length > 0 || unread;
}

/** A change of the rows that it picks. */
export interface RowChange {
  picks: (ticket: Ticket) => boolean;
  patch: (ticket: Ticket) => Ticket;
}

/** What reading a ticket changes. */
export const readTicket = (ticketId: number): RowChange => ({
  picks: ({ id }) => id === ticketId,
  patch: (ticket) => ({ ...ticket, unreadMessages: 0 }),
});

/** What a step of a message changes: the tick of the ticket whose last one it is. */
export const messageStep = ({
  id,
  ack,
  isDeleted,
}: LiveEvent<'appMessage'>['message']): RowChange => ({
  picks: (ticket) => ticket.lastMessageId === id,
  patch: (ticket) => ({ ...ticket, lastMessageAck: ack, lastMessageDeleted: isDeleted }),
});

/** Changes rows wherever they are. */
export function patchTickets(pages: TicketPages, { picks, patch }: RowChange): TicketPages {
  return mapTickets(pages, (tickets) =>
    tickets.some(picks)
      ? tickets.map((ticket) => (picks(ticket) ? patch(ticket) : ticket))
      : tickets,
  );
}

/** A changed list without the rows that no longer belong. */
export const onlyBelonging = (
  before: TicketPages,
  changed: TicketPages,
  filters: TicketFilters,
  reader: Reader,
): TicketPages =>
  changed === before ? before : dropTickets(changed, (ticket) => !belongs(ticket, filters, reader));

/** Whether a delete event concerns a list: a change of status only leaves the old status's. */
export function leavesList(filters: TicketFilters, oldStatus: TicketStatus | undefined): boolean {
  return oldStatus === undefined || filters.status === oldStatus;
}

/** Whether a ticket left a status for some who may still see it in a list of every status. */
export const mayHaveLeft = (
  pages: TicketPages,
  filters: TicketFilters,
  ticketId: number,
  oldStatus: TicketStatus | undefined,
): boolean => oldStatus !== undefined && !filters.status && find(pages, ticketId) !== undefined;
