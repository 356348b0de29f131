import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { queryClient } from '@/lib/queryClient';
import { useQuickMessageEvents } from './events';
import { quickMessageKeys } from './keys';
import type { QuickMessage, QuickMessageInput, QuickMessagePage } from './types';

export type * from './types';

/** Signed addresses of files end after 12 hours at the earliest; live events do the rest. */
const FRESH_MS = 30 * 60_000;

/** Own ones and those of the company that are switched on, by shortcode. */
export const quickMessagesQuery = () =>
  queryOptions({
    queryKey: quickMessageKeys.options,
    queryFn: ({ signal }) => api.get<QuickMessage[]>('/quick-messages/list', undefined, signal),
    staleTime: FRESH_MS,
  });

/** All that may be used while writing, kept up by live events. */
export function useQuickMessages() {
  useQuickMessageEvents();
  return useQuery(quickMessagesQuery());
}

const quickMessages = {
  path: '/quick-messages',
  keys: quickMessageKeys,
  rowsOf: ({ records }: QuickMessagePage) => records,
};

/** The page's list, also of those switched off. */
export const quickMessagePagesQuery = (search: string) => pagesQuery(quickMessages, search);

/** The signed path of a file as it was told last; undefined when that is not known. */
export const freshMediaPath = (id: number): string | undefined =>
  queryClient.getQueryData<QuickMessage[]>(quickMessageKeys.options)?.find((each) => each.id === id)
    ?.mediaPath ?? undefined;

/** Creates or changes one; its file goes by `uploadFile` and `removeFile`. */
export const useSaveQuickMessage = () =>
  useSaveFields<QuickMessage, QuickMessageInput>(quickMessages);

export function uploadFile(id: number, file: File, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append('typeArch', 'quickMessage');
  form.append('file', file, file.name);
  return api.upload<QuickMessage>(`/quick-messages/${id}/media-upload`, form, { onProgress });
}

export const removeFile = (id: number) => api.delete(`/quick-messages/${id}/media-upload`);

export const useDeleteQuickMessage = () => useDeleteRow(quickMessages);
