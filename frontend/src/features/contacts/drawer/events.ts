import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { contactQuery, mergesQuery } from '../api';
import type { Contact } from '../types';
import { galleryKey, pastTicketsKey, notesKey } from './api';
import { changesGallery, foldPastTicket, foldNote, dropPastTicket, galleryOf } from './fold';
import type { GalleryPages, PastTicketPages, Note } from './types';

/** Fetches a contact's files again when a message joins or leaves them. */
export function applyGalleryEvent(
  client: QueryClient,
  contactId: number,
  { message }: LiveEvent<'appMessage'>,
) {
  if (message.contactId !== contactId) return;
  for (const { queryKey, state } of client
    .getQueryCache()
    .findAll({ queryKey: galleryKey(contactId) })) {
    const shown = galleryOf(state.data as GalleryPages | undefined);
    if (changesGallery(shown, message)) void client.invalidateQueries({ queryKey });
  }
}

/** Keeps the drawer's data up to date with the live events while mounted. */
export function useDrawerEvents(contactId: number) {
  const client = useQueryClient();
  useCompanyEvent('ticketNote', (event) => {
    const about = event.action === 'create' ? event.note.contactId : event.contactId;
    if (about === contactId)
      changeQueries<Note[]>(client, notesKey(contactId), (notes) => foldNote(notes, event) ?? []);
  });
  useCompanyEvent('ticket', (event) => {
    const key = pastTicketsKey(contactId);
    if (event.action === 'update' && event.ticket.contactId === contactId)
      changeQueries<PastTicketPages>(client, key, (pages) => foldPastTicket(pages, event.ticket));
    if (event.action === 'delete' && event.oldStatus === undefined)
      changeQueries<PastTicketPages>(client, key, (pages) => dropPastTicket(pages, event.ticketId));
  });
  useCompanyEvent('appMessage', (event) => applyGalleryEvent(client, contactId, event));
  useCompanyEvent('contact', (event) => {
    if (!('contact' in event) || event.contact.id !== contactId) return;
    changeQueries<Contact>(client, contactQuery(contactId).queryKey, () => event.contact);
    // The contact may have been merged or split, which changes all its data.
    for (const queryKey of [
      mergesQuery(contactId).queryKey,
      notesKey(contactId),
      pastTicketsKey(contactId),
      galleryKey(contactId),
    ])
      void client.invalidateQueries({ queryKey });
  });
}
