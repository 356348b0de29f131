import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

export type Connection = Schemas['Connection'];
export type ConnectionInput = Schemas['ConnectionWriteRequest'];

/** The company's connections, without their sessions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => api.get<Connection[]>('/whatsapp/', { session: 0 }, signal),
  });

function useRefetch() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['connections'] });
}

/** Creates a connection, or changes the one with `id`. */
export function useSaveConnection(id?: number) {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: (body: ConnectionInput) =>
      id === undefined
        ? api.post<Connection>('/whatsapp', body)
        : api.put<Connection>(`/whatsapp/${id}`, body),
    onSuccess,
  });
}

export function useDeleteConnection() {
  const onSuccess = useRefetch();
  return useMutation({ mutationFn: (id: number) => api.delete(`/whatsapp/${id}`), onSuccess });
}

/** Asks the provider anew whether the number answers. */
export function useVerifyConnection() {
  const onSettled = useRefetch();
  return useMutation({
    mutationFn: (id: number) => api.post(`/whatsappsession/${id}`),
    onSettled,
  });
}

/** Makes the token with which programs send; it is in this answer alone, and ends the one before. */
export function useIssueToken(id: number) {
  const onSuccess = useRefetch();
  return useMutation({
    mutationFn: () => api.post<Schemas['ConnectionToken']>(`/whatsapp/${id}/token`),
    onSuccess,
  });
}

export function useRevokeToken(id: number) {
  const onSuccess = useRefetch();
  return useMutation({ mutationFn: () => api.delete(`/whatsapp/${id}/token`), onSuccess });
}
