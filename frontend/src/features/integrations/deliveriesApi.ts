import {
  infiniteQueryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import { integrationKeys } from './api';

type Schemas = components['schemas'];

/** One call of an integration. */
export type Delivery = Schemas['Delivery'];
export type DeliveriesPage = Schemas['DeliveryPage'];

export type Shown = 'all' | 'ok' | 'failed';

/** The log of one integration, newest first, 20 at a time. */
export const deliveriesQuery = (integrationId: number, shown: Shown) =>
  infiniteQueryOptions({
    queryKey: [...integrationKeys.all, 'deliveries', integrationId, shown] as const,
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<DeliveriesPage>(
        `/queueIntegration/${integrationId}/deliveries`,
        { pageNumber: pageParam, ...(shown !== 'all' && { status: shown }) },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: (last: DeliveriesPage, pages: DeliveriesPage[]) =>
      last.hasMore ? pages.length + 1 : undefined,
  });

/** Each call once: new ones push what was read to the next page. */
export const deliveriesOf = ({ pages }: InfiniteData<DeliveriesPage>): Delivery[] => [
  ...new Map(pages.flatMap(({ deliveries }) => deliveries).map((row) => [row.id, row])).values(),
];

/** Sends what a call carried once more and answers the new one. */
export function useRedeliver(integrationId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      api.post<Delivery>(`/queueIntegration/${integrationId}/deliveries/${id}/redeliver`),
    onSettled: () => void client.invalidateQueries({ queryKey: integrationKeys.all }),
  });
}

/** Whether the other side took the call. */
export const isDelivered = ({ statusCode, error }: Delivery) =>
  !error && statusCode !== null && statusCode >= 200 && statusCode < 300;
