/** Live events of the records that a row shows: contact, queue, connection, holder, tags. */
import { dropTickets, isContactFound, patchTickets, type RowChange } from './fold';
import type { Ticket, TicketFilters, TicketPages } from './types';

type Change =
  | { kind: 'contact'; id: number; now: Partial<Ticket['contact']> | null }
  | { kind: 'queue'; id: number; now: { name: string; color: string } | null }
  | { kind: 'connection'; id: number; now: Partial<NonNullable<Ticket['whatsapp']>> | null }
  | { kind: 'user'; id: number; now: { name: string } | null }
  | { kind: 'tag'; id: number; now: { name: string; color: string; kanban: number } | null };

/** A change of a related record; `now` is null if it was deleted. */
export type RelatedChange = Change;

/** Whether a row shows a record. */
function isRelated(ticket: Ticket, { kind, id }: Change): boolean {
  switch (kind) {
    case 'contact':
      return ticket.contactId === id;
    case 'queue':
      return ticket.queueId === id;
    case 'connection':
      return ticket.whatsappId === id;
    case 'user':
      return ticket.userId === id;
    case 'tag':
      return ticket.tags.some((tag) => tag.id === id);
  }
}

/** Returns the row after the change of a record that it shows. */
function relatedChanged(ticket: Ticket, change: Change): Ticket {
  switch (change.kind) {
    case 'contact':
      return { ...ticket, contact: { ...ticket.contact, ...change.now } };
    case 'queue':
      return change.now
        ? { ...ticket, queue: { id: change.id, ...change.now } }
        : { ...ticket, queue: null, queueId: null };
    case 'connection':
      return change.now && ticket.whatsapp
        ? { ...ticket, whatsapp: { ...ticket.whatsapp, ...change.now } }
        : { ...ticket, whatsapp: null, whatsappId: null };
    case 'user':
      // The tickets of a deleted user are returned, each with an event of its own.
      return change.now ? { ...ticket, user: { id: change.id, ...change.now } } : ticket;
    case 'tag':
      return {
        ...ticket,
        tags: ticket.tags.flatMap((tag) =>
          tag.id !== change.id ? [tag] : change.now ? [{ ...tag, ...change.now }] : [],
        ),
      };
  }
}

/** The change of rows that follows from the change of a related record. */
export const relatedRowChange = (change: Change): RowChange => ({
  picks: (ticket) => isRelated(ticket, change),
  patch: (ticket) => relatedChanged(ticket, change),
});

/**
 * Returns the list after the change of a related record; a deleted contact's tickets are removed.
 */
export const foldRelated = (pages: TicketPages, change: Change): TicketPages =>
  change.kind === 'contact' && change.now === null
    ? dropTickets(pages, (ticket) => isRelated(ticket, change))
    : patchTickets(pages, relatedRowChange(change));

/**
 * Whether only the server knows which tickets a change adds to a list: a renamed contact may match
 * a search, and the tickets of a deleted queue become visible to users who see tickets without a
 * queue.
 */
export function isUnsureAfterRelated(
  pages: TicketPages,
  change: Change,
  filters: TicketFilters,
): boolean {
  if (change.kind === 'queue') return change.now === null;
  if (!filters.search || change.kind !== 'contact' || !change.now) return false;
  const rows = pages.pages.flatMap(({ tickets }) => tickets);
  const shown = rows.filter((ticket) => isRelated(ticket, change));
  const { name = '', number = '', email = '' } = change.now;
  const contact = { name, number, email } as Ticket['contact'];
  const isFound = isContactFound(contact, filters.search);
  return shown.length === 0 ? isFound : shown.some(({ match }) => (match === null) !== isFound);
}
