import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';

export interface Contact {
  id: number;
  name: string;
  number: string;
  email: string;
  profilePicUrl: string;
  isGroup: boolean;
  extraInfo: { id?: number; name: string; value: string }[];
}

export interface ContactsPage {
  contacts: Contact[];
  count: number;
  hasMore: boolean;
}

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

export type ContactInput = Pick<Contact, 'name' | 'number' | 'email' | 'extraInfo'>;

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
