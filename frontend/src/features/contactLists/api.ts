import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { sheetForm, sheetPreviewQuery, type SheetLayout } from '@/lib/sheets';
import { contactListKeys } from './keys';
import type { ContactListForm, ListContactForm } from './schemas';
import type { ContactList, ContactListItem, ContactListItemPage, ContactListPage } from './types';

export type * from './types';

const contactLists = {
  path: '/contact-lists',
  keys: contactListKeys,
  rowsOf: ({ records }: ContactListPage) => records,
};

/** The company's contact lists by name. */
export const contactListPagesQuery = (search: string) => pagesQuery(contactLists, search);

/** All lists by name, for selects; fetched again for each select. */
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

const listContacts = {
  path: '/contact-list-items',
  keys: { all: contactListKeys.items },
  rowsOf: ({ contacts }: ContactListItemPage) => contacts,
};

/** The contacts of a list by name. */
export const listContactPagesQuery = (id: number, search: string) =>
  pagesQuery(
    { ...listContacts, keys: { ...listContacts.keys, pages: contactListKeys.itemsOf(id) } },
    search,
    { contactListId: id },
  );

/** Creates a list, or renames the one with the `id`. */
export const useSaveContactList = () => useSaveFields<ContactList, ContactListForm>(contactLists);

export const useDeleteContactList = () => useDeleteRow(contactLists);

/** Adds a contact to a list, or changes the one with the `id`. */
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

export const useDeleteListContact = () => useDeleteRow(listContacts);

/** The first rows of a sheet as the list would keep them. */
export const previewQuery = (id: number, file: File, layout: SheetLayout | undefined) =>
  sheetPreviewQuery(`/contact-lists/${id}/upload/preview`, file, layout);

/** Uploads a sheet; `import` of the answer and live events report the progress. */
export const uploadSheet = async (
  id: number,
  file: File,
  layout: SheetLayout,
  onProgress: (share: number) => void,
) =>
  api.upload<ContactList>(`/contact-lists/${id}/upload`, sheetForm(file, layout), { onProgress });

/** A CSV file of the invalid rows of the newest sheet. */
export const fetchFaults = (id: number) => api.file(`/contact-lists/${id}/upload/errors`, {});
