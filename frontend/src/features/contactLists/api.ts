import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { requireSheetSize } from '@/lib/sheets';
import { contactListKeys } from './keys';
import type { ContactListForm, ListContactForm } from './schemas';
import type { ContactList, ContactListItem, ContactListItemPage, ContactListPage } from './types';

export type * from './types';

/** The company's contact lists by name. */
export const contactListPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...contactListKeys.pages, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ContactListPage>(
        '/contact-lists/',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** All lists by name, to choose from; asked anew whenever somebody chooses. */
export const contactListOptionsQuery = () =>
  queryOptions({
    queryKey: contactListKeys.options,
    queryFn: ({ signal }) => api.get<ContactList[]>('/contact-lists/list', undefined, signal),
    staleTime: 0,
  });

/** One list, with its newest import. */
export const contactListQuery = (id: number) =>
  queryOptions({
    queryKey: contactListKeys.one(id),
    queryFn: ({ signal }) => api.get<ContactList>(`/contact-lists/${id}`, undefined, signal),
  });

/** The people of a list by name. */
export const listContactPagesQuery = (id: number, search: string) =>
  infiniteQueryOptions({
    queryKey: [...contactListKeys.itemsOf(id), search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ContactListItemPage>(
        '/contact-list-items',
        { searchParam: search.trim(), pageNumber: pageParam, contactListId: id },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** Creates a list, or renames the one with the `id`. */
export function useSaveContactList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: { id?: number | undefined; fields: ContactListForm }) =>
      id === undefined
        ? api.post<ContactList>('/contact-lists', fields)
        : api.put<ContactList>(`/contact-lists/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: contactListKeys.all }),
  });
}

export function useDeleteContactList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/contact-lists/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: contactListKeys.all }),
  });
}

/** Puts a person into a list, or changes the one with the `id`. */
export function useSaveListContact(listId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: { id?: number | undefined; fields: ListContactForm }) =>
      id === undefined
        ? api.post<ContactListItem>('/contact-list-items', { ...fields, contactListId: listId })
        : api.put<ContactListItem>(`/contact-list-items/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: contactListKeys.items }),
  });
}

export function useDeleteListContact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/contact-list-items/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: contactListKeys.items }),
  });
}

/** Uploads a sheet; the answer's `import` and live events tell how far its reading is. */
export async function uploadSheet(id: number, file: File, onProgress: (share: number) => void) {
  requireSheetSize(file);
  const form = new FormData();
  form.append('file', file, file.name);
  return api.upload<ContactList>(`/contact-lists/${id}/upload`, form, { onProgress });
}

/** A CSV file of the rows that the newest sheet had wrong. */
export const fetchFaults = (id: number) => api.file(`/contact-lists/${id}/upload/errors`, {});
