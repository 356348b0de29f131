import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];
export type ServiceToken = Schemas['ServiceToken'];
export type CreatedServiceToken = Schemas['CreatedServiceToken'];
export type Scope = ServiceToken['scopes'][number];

const key = ['serviceTokens'] as const;

/** The company's service tokens by name, 20 at a time. */
export const serviceTokensQuery = infiniteQueryOptions({
  queryKey: key,
  queryFn: ({ pageParam, signal }) =>
    api.get<Schemas['ServiceTokenPage']>('/service-tokens', { pageNumber: pageParam }, signal),
  initialPageParam: 1,
  getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length + 1 : undefined),
});

/** Creates a token; its text is in this answer alone. */
export function useCreateServiceToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: Schemas['ServiceTokenInputRequest']) =>
      api.post<CreatedServiceToken>('/service-tokens', fields),
    onSuccess: () => void client.invalidateQueries({ queryKey: key }),
  });
}

/** Revokes a token; its programs are refused from then on. */
export function useRevokeServiceToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/service-tokens/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: key }),
  });
}
