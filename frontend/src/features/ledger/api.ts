import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import type { LedgerDetail, LedgerPage } from './types';

export type * from './types';

const ALL = ['ledger'] as const;
const detailKey = (id: number) => [...ALL, 'invoice', id] as const;

/** The invoices of all companies, latest due date first. */
export const ledgerPagesQuery = (search: string, status: string) =>
  infiniteQueryOptions({
    queryKey: [...ALL, 'pages', search, status] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<LedgerPage>(
        '/billing',
        { searchParam: search.trim(), pageNumber: pageParam, ...(status && { status }) },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** An invoice with its charges, payments, credits and history. */
export const ledgerQuery = (id: number) =>
  queryOptions({
    queryKey: detailKey(id),
    queryFn: ({ signal }) => api.get<LedgerDetail>(`/billing/${id}`, {}, signal),
    staleTime: 0,
  });

export type LedgerVerb = 'payments' | 'credit' | 'refund' | 'cancel';

/** Carries out one of the super user's actions on an invoice. */
export function useLedgerAction(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ verb, fields }: { verb: LedgerVerb; fields: object }) =>
      api.post<LedgerDetail>(`/billing/${id}/${verb}`, fields),
    onSuccess: (detail) => {
      void client.invalidateQueries({ queryKey: ALL });
      client.setQueryData(detailKey(id), detail);
    },
  });
}
