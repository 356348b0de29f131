import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api, refreshSession } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { billingKeys } from './keys';
import type {
  Checkout,
  Invoice,
  InvoicePage,
  PixCharge,
  SubscribedPlan,
  Subscription,
} from './types';

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

/** The company's plan, its use, and what another plan costs now. */
export const subscribedPlanQuery = () =>
  queryOptions({
    queryKey: billingKeys.plan,
    queryFn: ({ signal }) => api.get<SubscribedPlan>('/subscription/plan', {}, signal),
    staleTime: 0,
  });

/** Changes the plan, or makes the invoice whose payment changes it. */
export function useChangePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: number) => api.post<SubscribedPlan>('/subscription/plan', { plan }),
    onSuccess: (subscribed) => {
      void client.invalidateQueries({ queryKey: billingKeys.all });
      client.setQueryData(billingKeys.plan, subscribed);
      // The plan is part of the session.
      refreshSession().catch(() => undefined);
    },
  });
}

/** Requests the code that pays an invoice. */
export function useSubscribe() {
  return useMutation({
    mutationFn: (body: Subscription) => api.post<PixCharge>('/subscription', body),
  });
}
