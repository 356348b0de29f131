import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Integration = Schemas['Integration'];
export type IntegrationType = Integration['type'];
export type IntegrationInput = Schemas['IntegrationInputRequest'];
export type TestSessionInput = Schemas['PatchedTestSessionInputRequest'];
export type IntegrationsPage = Schemas['IntegrationPage'];
export type IntegrationPages = InfiniteData<IntegrationsPage>;

const PAGE_SIZE = 20;

export const integrationKeys = {
  all: ['integrations'] as const,
  options: ['integrations', 'options'] as const,
  pages: ['integrations', 'pages'] as const,
  search: (text: string) => ['integrations', 'pages', text] as const,
};

/** All of the company's integrations by name, for selectors. */
export const integrationsQuery = () =>
  queryOptions({
    queryKey: integrationKeys.options,
    queryFn: async ({ signal }) => {
      const rows: Integration[] = [];
      for (let pageNumber = 1, more = true; more; pageNumber += 1) {
        const page = await fetchPage('', pageNumber, signal);
        rows.push(...page.queueIntegrations);
        more = page.hasMore;
      }
      return rows;
    },
  });

/** The integrations page: 20 at a time. */
export const integrationPagesQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: integrationKeys.search(search.trim()),
    // How the last call went changes with every conversation, of which this page hears nothing.
    staleTime: 0,
    refetchInterval: 30_000,
    queryFn: ({ pageParam, signal }) => fetchPage(search.trim(), pageParam, signal),
    initialPageParam: 1,
    // From what is loaded, not from the number of pages: rows that left would be skipped.
    getNextPageParam: (last: IntegrationsPage, pages: IntegrationsPage[]) =>
      last.hasMore
        ? Math.floor(integrationsOf({ pages, pageParams: [] }).length / PAGE_SIZE) + 1
        : undefined,
  });

const fetchPage = (searchParam: string, pageNumber: number, signal: AbortSignal) =>
  api.get<IntegrationsPage>('/queueIntegration/', { searchParam, pageNumber }, signal);

/** Each integration once: pages overlap while rows come and go. */
export function integrationsOf({ pages }: IntegrationPages): Integration[] {
  const rows = new Map<number, Integration>();
  for (const page of pages)
    for (const row of page.queueIntegrations) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

function useRefetch() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: integrationKeys.all });
}

/** Creates an integration, or changes the one with `id`. A new secret is in this answer alone. */
export function useSaveIntegration(id?: number) {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (body: IntegrationInput) =>
      id === undefined
        ? api.post<Integration>('/queueIntegration', body)
        : api.put<Integration>(`/queueIntegration/${id}`, body),
    onSuccess,
  });
}

/** Makes a new signing secret; the old one signs nothing more. */
export function useRotateSecret(id: number) {
  return useMutation({
    mutationFn: () => api.post<Schemas['SigningSecret']>(`/queueIntegration/${id}/secret`),
  });
}

export function useDeleteIntegration() {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/queueIntegration/${id}`),
    onSuccess,
  });
}

/** Tries an integration, saved or not: what it said, or the outcome in words. */
export function useTestSession() {
  return useMutation({
    mutationFn: (body: TestSessionInput) =>
      api.post<Schemas['TestSession']>('/queueIntegration/testSession', body),
  });
}
