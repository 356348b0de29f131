import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { helpKeys } from './keys';
import type { Help, HelpInput, HelpPage } from './types';

export type * from './types';

/** All that there are, the first written first. */
export const helpsQuery = () =>
  queryOptions({
    queryKey: helpKeys.all,
    queryFn: ({ signal }) => api.get<Help[]>('/helps/list', {}, signal),
    // Nobody hears of changes while the page is not shown.
    staleTime: 0,
  });

/** As the super user's table shows them. */
export const helpPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...helpKeys.pages, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<HelpPage>('/helps', { searchParam: search.trim(), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

interface Saving {
  /** Left out for a new one. */
  id?: number | undefined;
  fields: HelpInput;
}

export function useSaveHelp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving) =>
      id === undefined ? api.post<Help>('/helps', fields) : api.put<Help>(`/helps/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: ['helps'] }),
  });
}

export function useDeleteHelp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/helps/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: ['helps'] }),
  });
}
