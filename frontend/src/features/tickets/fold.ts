import type { LiveEvent } from '@/lib/api/types';
import { foldText as foldText } from '@/lib/search';
import { isUnread } from './unopened';
import type { Priority, Reader, Ticket, TicketFilters, TicketPages, TicketStatus } from './types';

type Order = TicketFilters['order'];

const RANK: Record<Priority, number> = { urgent: 1, high: 2, normal: 3, low: 4 };

const byChange = (left: Ticket, right: Ticket) =>
  right.updatedAt.localeCompare(left.updatedAt) || right.id - left.id;

const PLACES: Record<NonNullable<Order>, typeof byChange> = {
  longest_waiting: (left, right) =>
    right.woken.localeCompare(left.woken) ||
    RANK[left.priority] - RANK[right.priority] ||
    left.queuedAt.localeCompare(right.queuedAt) ||
    left.id - right.id,
  // Those without a deadline come behind, by their last change.
  nearest_deadline: (left, right) => {
    if (left.slaDueAt && right.slaDueAt)
      return left.slaDueAt.localeCompare(right.slaDueAt) || left.id - right.id;
    if (left.slaDueAt || right.slaDueAt) return left.slaDueAt ? -1 : 1;
    return byChange(left, right);
  },
};

/** Compares two tickets by their places in a list of this order. */
const byPlace = (order: Order) => (order ? PLACES[order] : byChange);

/**
 * Each ticket once, in the list's order: pages overlap when rows are added or removed between
 * requests.
 */
export function ticketsOf(pages: TicketPages | undefined, order?: Order): Ticket[] {
  const tickets = new Map<number, Ticket>();
  for (const page of pages?.pages ?? [])
    for (const ticket of page.tickets) if (!tickets.has(ticket.id)) tickets.set(ticket.id, ticket);
  return [...tickets.values()].sort(byPlace(order));
}

/** The queue id 0 of a filter: tickets without a queue. */
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
  // Users who are not admins can only filter by their own queues.
  const isMine =
    ticket.userId === reader.userId &&
    (filters.queues.length === 0 || (isAsked && (reader.isAdmin === true || isOwn)));
  return isMine;
}

const HOUR_MS = 3_600_000;
/** The server counts in whole minutes. */
const SLACK_MS = 60_000;

/** Whether the ticket's 24-hour window closes within the hour and its contact waits for an answer. */
export function closesSoon(ticket: Ticket, now = Date.now()): boolean {
  const { status, whatsapp, lastInboundAt, lastMessageFromMe, owner } = ticket;
  if (status === 'closed' || whatsapp?.provider !== 'official' || owner === 'other') return false;
  const since = now - Date.parse(lastInboundAt ?? '');
  return lastMessageFromMe === false && since >= 23 * HOUR_MS - SLACK_MS && since < 24 * HOUR_MS;
}

/**
 * Whether a ticket passes a list's filters, as on the server (rules/tickets §9), except a text
 * search, which needs messages that are not loaded.
 */
export function belongs(ticket: Ticket, filters: TicketFilters, reader: Reader): boolean {
  const { status, tags = [], users = [], unread = false, campaigns = false } = filters;
  if (status && ticket.status !== status) return false;
  if (!isInScope(ticket, filters, reader)) return false;
  if (users.length > 0 && !users.includes(ticket.userId ?? 0)) return false;
  if (unread && !isUnread(ticket, reader.userId)) return false;
  if (filters.closing && !closesSoon(ticket)) return false;
  const leavesSnoozed = status !== undefined && status !== 'closed';
  if (filters.snoozed ? !ticket.snoozedAt : leavesSnoozed && ticket.snoozedAt) return false;
  // A search also finds what only a campaign began.
  if (campaigns ? !ticket.unansweredCampaign : ticket.unansweredCampaign && !filters.search)
    return false;
  return tags.every((id) => ticket.tags.some((tag) => tag.id === id));
}

/** A shorter search matches contacts only, as on the server. */
const SHORTEST_IN_MESSAGES = 3;

const digitsOf = (term: string) => (/[^\d\s()+./-]/.test(term) ? '' : term.replace(/\D/g, ''));

/** Whether a contact matches a search. */
export function isContactFound(contact: Ticket['contact'], search: string): boolean {
  const term = foldText(search);
  const text = foldText(`${contact.name} ${contact.number} ${contact.email}`);
  const digits = digitsOf(term);
  return text.includes(term) || (digits.length >= 3 && contact.number.includes(digits));
}

/** The message that came with a ticket's event. */
export interface NewMessage {
  id: number;
  body: string;
}

/** The matching message that a search shows for a ticket; undefined if it is not known here. */
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

/** The total is known once the whole list is loaded; until then the server's count stays. */
function recounted(pages: TicketPages): TicketPages {
  if (pages.pages.at(-1)?.hasMore) return pages;
  const count = new Set(pages.pages.flatMap(({ tickets }) => tickets.map(({ id }) => id))).size;
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, count })) };
}

const find = (pages: TicketPages, id: number) =>
  pages.pages.flatMap(({ tickets }) => tickets).find((ticket) => ticket.id === id);

/** Removes tickets from a list. */
export const dropTickets = (pages: TicketPages, drops: (ticket: Ticket) => boolean): TicketPages =>
  mapTickets(pages, (tickets) =>
    tickets.some(drops) ? tickets.filter((ticket) => !drops(ticket)) : tickets,
  );

/** Removes a ticket from a list. */
export const removeTicket = (pages: TicketPages, id: number): TicketPages =>
  dropTickets(pages, (ticket) => ticket.id === id);

/**
 * Inserts, moves or removes a changed ticket in a list; an older state changes nothing. In a
 * search, `message`, the new one that came with the ticket, may match.
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
  const lowest = last?.tickets.at(-1);
  // Below all loaded tickets: it loads with its own page.
  if (last?.hasMore && lowest && byPlace(filters.order)(ticket, lowest) > 0) return pages;
  const front = { ...first, tickets: [ticket, ...first.tickets] };
  return recounted({ ...pages, pages: [front, ...pages.pages.slice(1)] });
}

/** Whether a changed ticket may now match a search, which only the server can decide. */
export function isUnsure(
  pages: TicketPages,
  ticket: Ticket,
  filters: TicketFilters,
  reader: Reader,
): boolean {
  if (!filters.search || find(pages, ticket.id) || !belongs(ticket, filters, reader)) return false;
  const { tags = [], users = [], queues, unread = false } = filters;
  const isWhole = filters.showAll && reader.seesAll === true;
  // Without other filters only the ticket's contact and messages decide about the match.
  return !isWhole || tags.length > 0 || users.length > 0 || queues.length > 0 || unread;
}

/** A change, and the rows to which it applies. */
export interface RowChange {
  picks: (ticket: Ticket) => boolean;
  patch: (ticket: Ticket) => Ticket;
}

/** The change of a ticket's row when the ticket is read. */
export const readTicket = (ticketId: number): RowChange => ({
  picks: ({ id }) => id === ticketId,
  patch: (ticket) => ({ ...ticket, unreadMessages: 0, handedOver: false, handedOverById: null }),
});

/** The change of a row when its last message gets a new status: the tick. */
export const messageStep = ({
  id,
  ack,
  isDeleted,
}: LiveEvent<'appMessage'>['message']): RowChange => ({
  picks: (ticket) => ticket.lastMessageId === id,
  patch: (ticket) => ({ ...ticket, lastMessageAck: ack, lastMessageDeleted: isDeleted }),
});

/** The change of a row when another deadline of its ticket is the nearest. */
export const deadlineStep = ({
  ticketId,
  slaDueAt,
  slaWarnsAt,
}: LiveEvent<'ticketDeadline'>): RowChange => ({
  picks: ({ id }) => id === ticketId,
  patch: (ticket) => ({ ...ticket, slaDueAt, slaWarnsAt }),
});

/** Applies a change to all loaded rows that it picks. */
export function patchTickets(pages: TicketPages, { picks, patch }: RowChange): TicketPages {
  return mapTickets(pages, (tickets) =>
    tickets.some(picks)
      ? tickets.map((ticket) => (picks(ticket) ? patch(ticket) : ticket))
      : tickets,
  );
}

/** Removes the rows that no longer pass the filters. */
export const onlyBelonging = (
  before: TicketPages,
  changed: TicketPages,
  filters: TicketFilters,
  reader: Reader,
): TicketPages =>
  changed === before ? before : dropTickets(changed, (ticket) => !belongs(ticket, filters, reader));

/**
 * Whether a delete event removes the ticket from a list: a change of status removes it only from
 * the lists of the old status.
 */
export function leavesList(filters: TicketFilters, oldStatus: TicketStatus | undefined): boolean {
  return oldStatus === undefined || filters.status === oldStatus;
}

/** Whether a ticket left a status, although the user may still see it in a list of all statuses. */
export const mayHaveLeft = (
  pages: TicketPages,
  filters: TicketFilters,
  ticketId: number,
  oldStatus: TicketStatus | undefined,
): boolean => oldStatus !== undefined && !filters.status && find(pages, ticketId) !== undefined;
