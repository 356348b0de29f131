import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
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

/** The page's list, also of those switched off. */
export const quickMessagePagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...quickMessageKeys.pages, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<QuickMessagePage>(
        '/quick-messages',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** The signed path of a file as it was told last; undefined when that is not known. */
export const freshMediaPath = (id: number): string | undefined =>
  queryClient.getQueryData<QuickMessage[]>(quickMessageKeys.options)?.find((each) => each.id === id)
    ?.mediaPath ?? undefined;

interface Saving {
  /** Left out for a new one. */
  id?: number | undefined;
  fields: QuickMessageInput;
}

/** Creates or changes one; its file goes by `uploadFile` and `removeFile`. */
export function useSaveQuickMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving) =>
      id === undefined
        ? api.post<QuickMessage>('/quick-messages', fields)
        : api.put<QuickMessage>(`/quick-messages/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: quickMessageKeys.all }),
  });
}

export function uploadFile(id: number, file: File, onProgress: (share: number) => void) {
  const form = new FormData();
  form.append('typeArch', 'quickMessage');
  form.append('file', file, file.name);
  return api.upload<QuickMessage>(`/quick-messages/${id}/media-upload`, form, { onProgress });
}

export const removeFile = (id: number) => api.delete(`/quick-messages/${id}/media-upload`);

export function useDeleteQuickMessage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/quick-messages/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: quickMessageKeys.all }),
  });
}
