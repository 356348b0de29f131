import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { Tag, TagInput, TagsPage } from './types';

export type * from './types';

export const tagKeys = {
  /** All tags, as `GET /tags/list` answers them. */
  all: ['tags'] as const,
  pages: ['tags', 'pages'] as const,
};

const tags = {
  path: '/tags',
  keys: tagKeys,
  rowsOf: (page: TagsPage) => page.tags,
};

/** All of the company's tags in name order, for selectors and filters. */
export const tagsQuery = () =>
  queryOptions({
    queryKey: tagKeys.all,
    queryFn: ({ signal }) => api.get<Tag[]>('/tags/list', undefined, signal),
  });

/** The tags page. */
export const tagPagesQuery = (search: string) => ({
  ...pagesQuery(tags, search),
  // Counts change with every ticket that is tagged, of which this page hears nothing.
  staleTime: 0,
});

/** Creates a tag, or changes the one with `id`. */
export const useSaveTag = (id?: number) => useSaveRow<Tag, TagInput>(tags, id);

/** Deletes a tag; it leaves all tickets that carry it. */
export const useDeleteTag = () => useDeleteRow(tags);
