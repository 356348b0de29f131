import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Contact = Schemas['Contact'];
export type ContactsPage = Schemas['ContactPage'];
export type ContactInput = Schemas['ContactInputRequest'];

/** The first contacts whose name, number or e-mail holds a text of three characters or more. */
export const contactSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['contacts', 'search', text],
    enabled: text.trim().length >= 3,
    queryFn: ({ signal }) =>
      api.get<ContactsPage>('/contacts/', { searchParam: text.trim(), pageNumber: 1 }, signal),
  });

export const contactQuery = (id: number) =>
  queryOptions({
    queryKey: ['contacts', 'id', id],
    // A form starts with what is stored now, never with what it was at the last opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<Contact>(`/contacts/${id}`, undefined, signal),
  });

/** Creates a contact, or changes the one with `id`. */
export function useSaveContact(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ContactInput) =>
      id === undefined
        ? api.post<Contact>('/contacts', body)
        : api.put<Contact>(`/contacts/${id}`, body),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['contacts'] }),
  });
}
