import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { TicketsPage } from '@/features/tickets/api';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { foldNote } from './fold';
import type { GalleryPage, GalleryTab, Note } from './types';

const KINDS: Record<GalleryTab, string> = {
  media: 'image,video',
  files: 'application',
  audio: 'audio',
};

export const pastTicketsKey = (contactId: number) => ['contactTickets', contactId] as const;
export const galleryKey = (contactId: number) => ['contactMedia', contactId] as const;
export const notesKey = (contactId: number) => ['contactNotes', contactId] as const;

/** The contact's tickets that the user may read, newest first. */
export const pastTicketsQuery = (contactId: number) =>
  infiniteQueryOptions({
    queryKey: pastTicketsKey(contactId),
    queryFn: ({ pageParam, signal }) =>
      api.get<TicketsPage>(`/contacts/${contactId}/tickets`, { pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** The files of one tab, newest first. */
export const galleryQuery = (contactId: number, tab: GalleryTab) =>
  infiniteQueryOptions({
    queryKey: [...galleryKey(contactId), tab] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<GalleryPage>(
        `/contacts/${contactId}/media`,
        { kind: KINDS[tab], pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** The colleagues' notes about the contact, newest first. */
export const notesQuery = (contactId: number) =>
  queryOptions({
    queryKey: notesKey(contactId),
    queryFn: ({ signal }) => api.get<Note[]>('/ticket-notes/list', { contactId }, signal),
  });

export function useAddNote(contactId: number, ticketId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => api.post<Note>('/ticket-notes', { note, ticketId, contactId }),
    onSuccess: (note) =>
      client.setQueryData<Note[]>(notesKey(contactId), (notes) =>
        foldNote(notes, { action: 'create', note }),
      ),
  });
}

export function useDeleteNote(contactId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (noteId: number) => api.delete(`/ticket-notes/${noteId}`),
    onSuccess: (_answer, noteId) =>
      client.setQueryData<Note[]>(notesKey(contactId), (notes) =>
        foldNote(notes, { action: 'delete', noteId, contactId }),
      ),
  });
}
