import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
import { helpKeys } from './keys';
import type { Help, HelpInput, HelpPage } from './types';

export type * from './types';

/** All helps, in order of creation. */
export const helpsQuery = () =>
  queryOptions({
    queryKey: helpKeys.all,
    queryFn: ({ signal }) => api.get<Help[]>('/helps/list', {}, signal),
    // Events are not handled while the page is not shown.
    staleTime: 0,
  });

const helps = {
  path: '/helps',
  keys: { all: ['helps'], pages: helpKeys.pages },
  rowsOf: ({ records }: HelpPage) => records,
};

/** The pages of the super user's table. */
export const helpPagesQuery = (search: string) => pagesQuery(helps, search);

export const useSaveHelp = () => useSaveFields<Help, HelpInput>(helps);

export const useDeleteHelp = () => useDeleteRow(helps);
