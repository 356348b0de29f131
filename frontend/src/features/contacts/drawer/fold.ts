import type { Ticket } from '@/features/tickets/api';
import type { LiveEvent } from '@/lib/api/types';
import type { GalleryMessage, GalleryPages, PastTicketPages, Note } from './types';

/** Inserts a note, newest first, or removes it. */
export function foldNote(
  notes: Note[] | undefined,
  event: LiveEvent<'ticketNote'>,
): Note[] | undefined {
  if (!notes) return notes;
  if (event.action === 'delete') return notes.filter(({ id }) => id !== event.noteId);
  const others = notes.filter(({ id }) => id !== event.note.id);
  return [event.note, ...others].sort((left, right) => right.id - left.id);
}

/** Each ticket once, newest first: pages overlap when tickets are added. */
export function pastTicketsOf(pages: PastTicketPages | undefined): Ticket[] {
  const tickets = new Map(
    pages?.pages.flatMap((page) => page.tickets.map((ticket) => [ticket.id, ticket])),
  );
  return [...tickets.values()].sort((left, right) => right.id - left.id);
}

/** Updates a listed ticket; a new one comes first. */
export function foldPastTicket(pages: PastTicketPages, ticket: Ticket): PastTicketPages {
  const known = pastTicketsOf(pages).find(({ id }) => id === ticket.id);
  if (known && known.updatedAt > ticket.updatedAt) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      if (known) {
        const tickets = page.tickets.map((each) => (each.id === ticket.id ? ticket : each));
        return { ...page, tickets };
      }
      const tickets = index === 0 ? [ticket, ...page.tickets] : page.tickets;
      return { ...page, tickets, count: page.count + 1 };
    }),
  };
}

/** Removes a deleted ticket. */
export function dropPastTicket(pages: PastTicketPages, ticketId: number): PastTicketPages {
  if (!pastTicketsOf(pages).some(({ id }) => id === ticketId)) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      tickets: page.tickets.filter(({ id }) => id !== ticketId),
      count: Math.max(0, page.count - 1),
    })),
  };
}

/** Each message once, newest first. */
export function galleryOf(pages: GalleryPages | undefined): GalleryMessage[] {
  const messages = new Map(
    pages?.pages.flatMap((page) => page.messages.map((message) => [message.id, message])),
  );
  return [...messages.values()].sort((left, right) => right.id - left.id);
}

/** The fields of a message event that matter for a gallery. */
interface Filed {
  id: number;
  mediaType: string;
  mediaState: string | null;
  isDeleted: boolean;
}

const SHOWN = ['image', 'video', 'audio', 'application'];

/** Whether a message must be added to a gallery or removed from it. */
export function changesGallery(messages: readonly { id: number }[], message: Filed): boolean {
  const isThere = messages.some(({ id }) => id === message.id);
  const belongs =
    SHOWN.includes(message.mediaType) && message.mediaState === 'ready' && !message.isDeleted;
  return isThere !== belongs && SHOWN.includes(message.mediaType);
}
