import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveFields } from '@/lib/api/resource';
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

const helps = {
  path: '/helps',
  keys: { all: ['helps'], pages: helpKeys.pages },
  rowsOf: ({ records }: HelpPage) => records,
};

/** As the super user's table shows them. */
export const helpPagesQuery = (search: string) => pagesQuery(helps, search);

export const useSaveHelp = () => useSaveFields<Help, HelpInput>(helps);

export const useDeleteHelp = () => useDeleteRow(helps);
