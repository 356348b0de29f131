import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { queryClient } from '@/lib/queryClient';
import { useQuickMessageEvents } from './events';
import { quickMessageKeys } from './keys';
import type { QuickMessage, QuickMessageInput, QuickMessagePage } from './types';

export type * from './types';

/**
 * Signed addresses of files expire after 12 hours at the earliest; live events cover other changes.
 */
const FRESH_MS = 30 * 60_000;

/** The user's own and the shared quick messages that are active, by shortcode. */
export const quickMessagesQuery = () =>
  queryOptions({
    queryKey: quickMessageKeys.options,
    queryFn: ({ signal }) => api.get<QuickMessage[]>('/quick-messages/list', undefined, signal),
    staleTime: FRESH_MS,
  });

/** The active quick messages for the composer, updated by live events. */
export function useQuickMessages() {
  useQuickMessageEvents();
  return useQuery(quickMessagesQuery());
}

const quickMessages = {
  path: '/quick-messages',
  keys: quickMessageKeys,
  rowsOf: ({ records }: QuickMessagePage) => records,
};

/** The page's list; it includes inactive quick messages. */
export const quickMessagePagesQuery = (search: string) => pagesQuery(quickMessages, search);

/** The last known signed path of a quick message's file; undefined if there is none. */
export const freshMediaPath = (id: number): string | undefined =>
  queryClient.getQueryData<QuickMessage[]>(quickMessageKeys.options)?.find((each) => each.id === id)
    ?.mediaPath ?? undefined;

/** Creates or changes a quick message; `uploadFile` and `removeFile` change its file. */
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
