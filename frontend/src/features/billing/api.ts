import { infiniteQueryOptions, queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { billingKeys } from './keys';
import type { Checkout, Invoice, InvoicePage, PixCharge, Subscription } from './types';

export type * from './types';

/**
 * The polling interval for a payment, in addition to the live event, which an overdue company does
 * not receive.
 */
const LOOK_MS = 5000;

/** The company's invoices, latest due date first. */
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

/** The available plans, and the known payer data. */
export const checkoutQuery = () =>
  queryOptions({
    queryKey: billingKeys.checkout,
    queryFn: ({ signal }) => api.get<Checkout>('/subscription', {}, signal),
    staleTime: 0,
  });

/** One invoice, polled until it is paid. */
export const awaitedInvoiceQuery = (id: number) =>
  queryOptions({
    queryKey: billingKeys.invoice(id),
    queryFn: ({ signal }) => api.get<Invoice>(`/invoices/${id}`, {}, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'paid' ? false : LOOK_MS),
  });

/** Requests the code that pays an invoice. */
export function useSubscribe() {
  return useMutation({
    mutationFn: (body: Subscription) => api.post<PixCharge>('/subscription', body),
  });
}
