import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Ticket } from '@/features/tickets/api';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { contactQuery, type Contact } from '../api';
import {
  galleryKey,
  historyKey,
  notesKey,
  type GalleryMessage,
  type GalleryPages,
  type HistoryPages,
  type Note,
} from './api';
import {
  changesGallery,
  foldHistory,
  foldNote,
  forgetInHistory,
  galleryOf,
  type NoteEvent,
} from './fold';

interface TicketEvent {
  action: string;
  ticket?: Ticket;
  ticketId?: number;
  oldStatus?: string;
}

interface MessageEvent {
  message: GalleryMessage;
}

interface ContactEvent {
  action: string;
  contact?: Contact;
}

/** Fetches a contact's shelves again when a message comes to stand on one, or leaves it. */
export function applyGalleryEvent(
  client: QueryClient,
  contactId: number,
  { message }: MessageEvent,
) {
  if (message.contactId !== contactId) return;
  for (const { queryKey, state } of client
    .getQueryCache()
    .findAll({ queryKey: galleryKey(contactId) })) {
    const shown = galleryOf(state.data as GalleryPages | undefined);
    if (changesGallery(shown, message)) void client.invalidateQueries({ queryKey });
  }
}

/** Keeps what the drawer shows in step with the live events while mounted. */
export function useDrawerEvents(contactId: number) {
  const client = useQueryClient();
  useCompanyEvent<NoteEvent>('ticketNote', (event) => {
    const about = event.action === 'create' ? event.note.contactId : event.contactId;
    if (about === contactId)
      changeQueries<Note[]>(client, notesKey(contactId), (notes) => foldNote(notes, event) ?? []);
  });
  useCompanyEvent<TicketEvent>('ticket', ({ action, ticket, ticketId, oldStatus }) => {
    const key = historyKey(contactId);
    if (action === 'update' && ticket?.contactId === contactId)
      changeQueries<HistoryPages>(client, key, (pages) => foldHistory(pages, ticket));
    if (action === 'delete' && ticketId !== undefined && oldStatus === undefined)
      changeQueries<HistoryPages>(client, key, (pages) => forgetInHistory(pages, ticketId));
  });
  useCompanyEvent<MessageEvent>('appMessage', (event) =>
    applyGalleryEvent(client, contactId, event),
  );
  useCompanyEvent<ContactEvent>('contact', ({ contact }) => {
    if (contact?.id === contactId)
      client.setQueryData<Contact>(contactQuery(contactId).queryKey, contact);
  });
}
