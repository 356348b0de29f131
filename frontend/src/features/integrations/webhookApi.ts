import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { components } from '@/lib/api/schema';
import type {
  OutgoingWebhook,
  OutgoingWebhookInput,
  OutgoingWebhooksPage,
  WebhookDelivery,
  WebhookDeliveriesPage,
  WebhookEvent,
  WebhookStatus,
} from './types';

type Schemas = components['schemas'];

export const webhookKeys = {
  all: ['outgoingWebhooks'] as const,
  pages: ['outgoingWebhooks', 'pages'] as const,
  log: (id: number) => ['outgoingWebhooks', 'log', id] as const,
};

const webhooks = {
  path: '/outgoing-webhooks',
  keys: webhookKeys,
  rowsOf: (page: OutgoingWebhooksPage) => page.outgoingWebhooks,
};

/** The page of outgoing webhooks. */
export const webhookPagesQuery = (search: string) => pagesQuery(webhooks, search);

/** Creates a webhook, or changes the one with `id`. A new secret is in this answer alone. */
export const useSaveWebhook = (id?: number) =>
  useSaveRow<OutgoingWebhook, OutgoingWebhookInput>(webhooks, id);

export const useDeleteWebhook = () => useDeleteRow(webhooks);

/** Makes a new secret; the old one signs nothing more. */
export function useRenewSecret(id: number) {
  return useMutation({
    mutationFn: async () => {
      const made = await api.post<Schemas['WebhookSecret']>(`/outgoing-webhooks/${id}/secret`);
      return made.secret;
    },
  });
}

/** Posts a test event at once; how it went is the answer, not an error. */
export function useTestWebhook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post<Schemas['WebhookTest']>(`/outgoing-webhooks/${id}/test`),
    onSuccess: () => void client.invalidateQueries({ queryKey: webhookKeys.all }),
  });
}

/** What a log shows; '' is everything. */
export interface LogFilter {
  status: WebhookStatus | '';
  event: WebhookEvent | '';
}

/** The log of one webhook, newest first, 20 at a time. */
export const webhookLogQuery = (id: number, { status, event }: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [...webhookKeys.log(id), status, event] as const,
    staleTime: 0,
    queryFn: ({ pageParam, signal }) =>
      api.get<WebhookDeliveriesPage>(
        `/outgoing-webhooks/${id}/deliveries`,
        {
          ...(status && { status }),
          ...(event && { event }),
          ...(pageParam && { beforeId: pageParam }),
        },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ deliveries, hasMore }) =>
      hasMore ? deliveries[deliveries.length - 1]?.id : undefined,
  });

/** Has an event posted once more. */
export function useRetryDelivery(webhookId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      api.post<WebhookDelivery>(`/outgoing-webhooks/${webhookId}/deliveries/${id}/retry`),
    onSettled: () => void client.invalidateQueries({ queryKey: webhookKeys.all }),
  });
}
