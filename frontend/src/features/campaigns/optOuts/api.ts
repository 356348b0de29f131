import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { OptOutForm } from './schemas';
import type { OptOut, OptOutPage } from './types';

export type * from './types';

const optOuts = {
  path: '/opt-outs',
  keys: { all: ['optOuts'], pages: ['optOuts', 'pages'] },
  rowsOf: ({ records }: OptOutPage) => records,
} as const;

/** The numbers that no campaign writes to, newest first. */
export const optOutPagesQuery = (search: string) => ({
  ...pagesQuery(optOuts, search),
  // People opt out without an event.
  staleTime: 0,
});

export const useAddOptOut = () => useSaveRow<OptOut, OptOutForm>(optOuts);

/** Lets later campaigns write to a number again. */
export const useDeleteOptOut = () => useDeleteRow(optOuts);

/** A CSV file of the opt-outs that the search finds. */
export const fetchOptOutsFile = (search: string) =>
  api.file('/opt-outs/export', { searchParam: search });
