import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { everyRowQuery, pagesQuery, useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { components } from '@/lib/api/schema';
import type {
  DeliveriesPage,
  Delivery,
  Integration,
  IntegrationInput,
  IntegrationsPage,
  Shown,
  TestSessionInput,
} from './types';

type Schemas = components['schemas'];

export const integrationKeys = {
  all: ['integrations'] as const,
  options: ['integrations', 'options'] as const,
  pages: ['integrations', 'pages'] as const,
};

const integrations = {
  path: '/queueIntegration',
  keys: integrationKeys,
  rowsOf: (page: IntegrationsPage) => page.queueIntegrations,
};

/** All of the company's integrations by name, for selectors. */
export const integrationsQuery = () => everyRowQuery(integrations);

/** The integrations page. */
export const integrationPagesQuery = (search: string) => ({
  ...pagesQuery(integrations, search),
  // The result of the last call changes with every conversation, without an event.
  staleTime: 0,
  refetchInterval: 30_000,
});

/** Creates an integration, or changes the one with `id`. A new secret is in this answer alone. */
export const useSaveIntegration = (id?: number) =>
  useSaveRow<Integration, IntegrationInput>(integrations, id);

export const useDeleteIntegration = () => useDeleteRow(integrations);

/** Creates a new signing secret; the old one becomes invalid. */
export function useRotateSecret(id: number) {
  return useMutation({
    mutationFn: async () => {
      const made = await api.post<Schemas['SigningSecret']>(`/queueIntegration/${id}/secret`);
      return made.signingSecret;
    },
  });
}

/** Tests an integration, saved or not: returns its answer, or the outcome in words. */
export function useTestSession() {
  return useMutation({
    mutationFn: (body: TestSessionInput) =>
      api.post<Schemas['TestSession']>('/queueIntegration/testSession', body),
  });
}

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
    getNextPageParam: nextPage,
  });

/** Repeats a call with the same content and returns the new one. */
export function useRedeliver(integrationId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      api.post<Delivery>(`/queueIntegration/${integrationId}/deliveries/${id}/redeliver`),
    onSettled: () => void client.invalidateQueries({ queryKey: integrationKeys.all }),
  });
}

/** Whether the other side accepted the call. */
export const isDelivered = ({ statusCode, error }: Delivery) =>
  !error && statusCode !== null && statusCode >= 200 && statusCode < 300;
