import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import { tagsOf } from './fold';

type Schemas = components['schemas'];

export type Tag = Schemas['Tag'];
export type TagInput = Schemas['TagInputRequest'];
export type TagsPage = Schemas['TagPage'];
export type TagPages = InfiniteData<TagsPage>;

/** What one page holds. */
const PAGE_SIZE = 20;

export const tagKeys = {
  /** All tags, as `GET /tags/list` answers them. */
  all: ['tags'] as const,
  pages: ['tags', 'pages'] as const,
  search: (text: string) => ['tags', 'pages', text] as const,
};

/** All of the company's tags in name order, for selectors and filters. */
export const tagsQuery = () =>
  queryOptions({
    queryKey: tagKeys.all,
    queryFn: ({ signal }) => api.get<Tag[]>('/tags/list', undefined, signal),
  });

/** The tags page: 20 at a time. */
export const tagPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: tagKeys.search(search.trim()),
    // Counts change with every ticket that is tagged, of which this page hears nothing.
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<TagsPage>('/tags/', { searchParam: search.trim(), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    // From what is loaded, not from the number of pages: rows that left would be skipped.
    getNextPageParam: (last: TagsPage, pages: TagsPage[]) =>
      last.hasMore
        ? Math.floor(tagsOf({ pages, pageParams: [] }).length / PAGE_SIZE) + 1
        : undefined,
  });

/** Creates a tag, or changes the one with `id`. */
export function useSaveTag(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TagInput) =>
      id === undefined ? api.post<Tag>('/tags', body) : api.put<Tag>(`/tags/${id}`, body),
    onSuccess: () => void client.invalidateQueries({ queryKey: tagKeys.all }),
  });
}

/** Deletes a tag; it leaves all tickets that carry it. */
export function useDeleteTag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/tags/${id}`),
    onSuccess: () => void client.invalidateQueries({ queryKey: tagKeys.all }),
  });
}
