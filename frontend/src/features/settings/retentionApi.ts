import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { Retention, RetentionPreview, RetentionValues } from './types';

const retentionKey = ['retention'] as const;

/** For how long the company keeps its data, the next run and the last ones. */
export const retentionQuery = () =>
  queryOptions({
    queryKey: retentionKey,
    queryFn: ({ signal }) => api.get<Retention>('/retention', undefined, signal),
  });

/** What would go by these values, and when first. */
export const useRetentionPreview = (values: RetentionValues) =>
  useQuery({
    queryKey: [...retentionKey, 'preview', values],
    queryFn: ({ signal }) => api.get<RetentionPreview>('/retention/preview', { ...values }, signal),
    placeholderData: keepPreviousData,
    // New rows grow old each second.
    staleTime: 60_000,
  });

/** Stores the company's choice; null takes the super user's defaults. */
export function useChooseRetention() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: RetentionValues | null) =>
      values ? api.put<Retention>('/retention', values) : api.delete<Retention>('/retention'),
    onSuccess: (retention) => client.setQueryData(retentionQuery().queryKey, retention),
  });
}

/** Stores what holds for companies without a choice of their own. */
export function useChooseDefaults() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: RetentionValues) =>
      api.put<RetentionValues>('/retention/defaults', values),
    onSuccess: () => client.invalidateQueries({ queryKey: retentionKey }),
  });
}
