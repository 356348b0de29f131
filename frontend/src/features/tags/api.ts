import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { Tag, TagInput, TagsPage } from './types';

export type * from './types';

export const tagKeys = {
  /** The list of all tags (`GET /tags/list`); also the prefix of `pages`. */
  all: ['tags'] as const,
  pages: ['tags', 'pages'] as const,
};

const tags = {
  path: '/tags',
  keys: tagKeys,
  rowsOf: (page: TagsPage) => page.tags,
};

/** All tags of the company by name, for selectors and filters. */
export const tagsQuery = () =>
  queryOptions({
    queryKey: tagKeys.all,
    queryFn: ({ signal }) => api.get<Tag[]>('/tags/list', undefined, signal),
  });

export const tagPagesQuery = (search: string) => ({
  ...pagesQuery(tags, search),
  // The counts change with every tagged ticket, without an event.
  staleTime: 0,
});

/** Creates a tag, or changes the one with `id`. */
export const useSaveTag = (id?: number) => useSaveRow<Tag, TagInput>(tags, id);

/** Deletes a tag, also from all its tickets. */
export const useDeleteTag = () => useDeleteRow(tags);
