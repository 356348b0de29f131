import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueries,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '@/lib/api/client';
import { nextPageByRows } from '@/lib/api/pages';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { sheetForm, sheetPreviewQuery, type SheetLayout } from '@/lib/sheets';
import { useDebounced } from '@/lib/useDebounced';
import { foldContact } from './fold';
import { foldImport } from './importing';
import type {
  Contact,
  ContactImport,
  ContactInput,
  ContactPages,
  ContactsPage,
  CurrentContactImport,
  DeletionResult,
  ImportedContacts,
  KeptNumber,
  Merge,
  MergedContact,
  PartedContacts,
} from './types';

export type * from './types';

const PAGE_SIZE = 20;

export const contactKeys = {
  all: ['contacts'] as const,
  pages: ['contacts', 'pages'] as const,
  import: ['contacts', 'import'] as const,
};

/**
 * The contacts page: first the contacts whose name begins with the search, then the others, by
 * name.
 */
export const contactPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...contactKeys.pages, search.trim()] as const,
    // Events update the page while it is open; afterwards its data are dropped.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<ContactsPage>(
        '/contacts/',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last: ContactsPage, pages: ContactsPage[]) =>
      nextPageByRows(
        last,
        pages.flatMap((page) => page.contacts),
        PAGE_SIZE,
      ),
  });

/** Applies an event to every cached page of contacts. */
export function changePages(
  client: QueryClient,
  event: Exclude<LiveEvent<'contact'>, { action: 'reload' }>,
) {
  changeQueries<ContactPages>(client, contactKeys.pages, (pages, [, , search]) =>
    foldContact(pages, event, String(search)),
  );
}

/** Fetches searches and single contacts again; the live event updates the pages. */
function refetchButPages(client: QueryClient) {
  void client.invalidateQueries({
    queryKey: contactKeys.all,
    predicate: ({ queryKey }) => queryKey[1] !== contactKeys.pages[1],
  });
}

/** The first contacts whose name, number or e-mail contains a text of at least three characters. */
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
    // A form must start with the current state, not with that of the last opening.
    gcTime: 0,
    queryFn: ({ signal }) => api.get<Contact>(`/contacts/${id}`, undefined, signal),
  });

/** The server keeps no shorter number. */
const SHORTEST_NUMBER = 8;
const PAUSE_MS = 250;

/** A typed number as it will be kept: without a country code it gets the company's. */
const keptNumberQuery = (number: string) =>
  queryOptions({
    queryKey: ['contacts', 'number', number],
    queryFn: ({ signal }) => api.get<KeptNumber>('/contacts/number', { number }, signal),
    enabled: number.length >= SHORTEST_NUMBER,
  });

/** What typed numbers will be kept as, once the typing pauses; null for those that are not known. */
export function useKeptNumbers(typed: readonly string[]): (string | null)[] {
  const all = typed.map((number) => number.trim()).join('\n');
  const settled = useDebounced(all, PAUSE_MS);
  const numbers = all === '' ? [] : all.split('\n');
  const found = useQueries({ queries: settled === all ? numbers.map(keptNumberQuery) : [] });
  return numbers.map((_, place) => found[place]?.data?.shown || null);
}

/** The help of a field for a number: how it will be kept, or where a test goes, else `help`. */
export function useNumberHelp(
  typed: string,
  help: string,
  words: 'keptAs' | 'goesTo' = 'keptAs',
): string {
  const { t } = useTranslation('common');
  const [kept] = useKeptNumbers(typed.trim() ? [typed] : []);
  return kept ? t(`number.${words}`, { number: kept }) : help;
}

/** Creates a contact, or changes the one with `id`. */
export function useSaveContact(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ContactInput) =>
      id === undefined
        ? api.post<Contact>('/contacts', body)
        : api.put<Contact>(`/contacts/${id}`, body),
    onSuccess: (contact) => {
      if (id !== undefined) changePages(client, { action: 'update', contact });
      refetchButPages(client);
    },
  });
}

/** Lets the messages of an ignored contact arrive again. */
export function useHearContact(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.put<Contact>(`/contacts/${id}`, { ignoreMessages: false }),
    onSuccess: (contact) => {
      changePages(client, { action: 'update', contact });
      refetchButPages(client);
    },
  });
}

/** The server's limit for one call. */
const DELETE_AT_ONCE = 500;

/** Deletes contacts with their conversations; returns which could not be deleted. */
export function useDeleteContacts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly number[]) => {
      const result: DeletionResult = { deleted: [], refused: [] };
      for (let start = 0; start < ids.length; start += DELETE_AT_ONCE) {
        const answer = await api.post<DeletionResult>('/contacts/delete', {
          ids: ids.slice(start, start + DELETE_AT_ONCE),
        });
        result.deleted.push(...answer.deleted);
        result.refused.push(...answer.refused);
        for (const contactId of answer.deleted)
          changePages(client, { action: 'delete', contactId });
      }
      return result;
    },
    onSettled: () => refetchButPages(client),
  });
}

/** A ZIP archive of all data of a contact. */
export const fetchContactData = (id: number) => api.file(`/contacts/${id}/data`);

/** Deletes a contact with its conversations, and its name in all records that stay. */
export function useEraseContact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post(`/contacts/${id}/erase`),
    onSuccess: (_, contactId) => changePages(client, { action: 'delete', contactId }),
    onSettled: () => refetchButPages(client),
  });
}

/** The merges into a contact that can still be undone, newest first. */
export const mergesQuery = (contactId: number) =>
  queryOptions({
    queryKey: ['contacts', 'merges', contactId],
    queryFn: ({ signal }) => api.get<Merge[]>(`/contacts/${contactId}/merges`, undefined, signal),
  });

/**
 * Merges another contact into this one. All data are fetched again, because they may belong to
 * another contact now.
 */
export function useMergeContacts(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (contactId: number) =>
      api.post<MergedContact>(`/contacts/${id}/merge`, { contactId }),
    onSuccess: () => void client.invalidateQueries(),
  });
}

/** Undoes a merge of the last 24 hours. */
export async function undoMerge(client: QueryClient, mergeId: number) {
  const parted = await api.post<PartedContacts>(`/contacts/merges/${mergeId}/undo`);
  void client.invalidateQueries();
  return parted;
}

/** Imports the address book of the connected phone. */
export function useImportContacts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<ImportedContacts>('/contacts/import'),
    // Also after a failure: contacts received before it are stored.
    onSettled: () => void client.invalidateQueries({ queryKey: contactKeys.all }),
  });
}

/** A CSV file of all contacts, or of those that match a search. */
export const fetchContactsFile = (search: string) =>
  api.file('/contacts/export', { searchParam: search.trim() });

/** The company's newest import: its progress or its result. */
export const contactImportQuery = () =>
  queryOptions({
    queryKey: contactKeys.import,
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await api.get<CurrentContactImport>('/contacts/imports/current', undefined, signal)).import,
  });

/** Applies a state of an import to the cache. */
export function changeImport(client: QueryClient, told: ContactImport) {
  client.setQueryData(contactImportQuery().queryKey, (cached) => foldImport(cached, told));
}

/** The first rows of a file as they would be kept. */
export const filePreviewQuery = (file: File, layout: SheetLayout | undefined) =>
  sheetPreviewQuery('/contacts/import-file/preview', file, layout);

/** Uploads a file of contacts; live events report the progress. */
export async function uploadContacts(
  client: QueryClient,
  file: File,
  layout: SheetLayout,
  onProgress: (share: number) => void,
) {
  const form = sheetForm(file, layout);
  const made = await api.upload<ContactImport>('/contacts/import-file', form, { onProgress });
  changeImport(client, made);
  return made;
}

/** Cancels an import; contacts created so far stay. */
export function useCancelImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post<ContactImport>(`/contacts/imports/${id}/cancel`),
    onSuccess: (done) => changeImport(client, done),
  });
}

/** A CSV file of the invalid rows of an import. */
export const fetchImportFaults = (id: number) => api.file(`/contacts/imports/${id}/errors`, {});
