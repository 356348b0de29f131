import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { billingKeys } from './keys';
import type { Checkout, Invoice, InvoicePage, PixCharge, Subscription } from './types';

export type * from './types';

/** How often a payment is looked for beside the live event, which an overdue company misses. */
const LOOK_MS = 5000;

/** The company's invoices, the last due first. */
export const invoicePagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...billingKeys.pages, search] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<InvoicePage>(
        '/invoices/all',
        { searchParam: search.trim(), pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  });

/** The plans to choose from, and what is known of who pays. */
export const checkoutQuery = () =>
  queryOptions({
    queryKey: billingKeys.checkout,
    queryFn: ({ signal }) => api.get<Checkout>('/subscription', {}, signal),
    staleTime: 0,
  });

/** One invoice, looked at again and again until it is paid. */
export const awaitedInvoiceQuery = (id: number) =>
  queryOptions({
    queryKey: billingKeys.invoice(id),
    queryFn: ({ signal }) => api.get<Invoice>(`/invoices/${id}`, {}, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'paid' ? false : LOOK_MS),
  });

/** Asks for the code that pays an invoice. */
export function useSubscribe() {
  return useMutation({
    mutationFn: (body: Subscription) => api.post<PixCharge>('/subscription', body),
  });
}
