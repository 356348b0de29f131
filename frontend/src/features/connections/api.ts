import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useDeleteRow, useSaveRow } from '@/lib/api/resource';
import type { components } from '@/lib/api/schema';
import type { Connection, ConnectionInput, SetupCheck, SetupInput, Webhook } from './types';

export type * from './types';

type Schemas = components['schemas'];

const connections = { path: '/whatsapp', keys: { all: ['connections'] } };

/** The company's connections, without their sessions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: connections.keys.all,
    queryFn: ({ signal }) => api.get<Connection[]>('/whatsapp/', { session: 0 }, signal),
  });

/** Creates a connection, or changes the one with `id`. */
export const useSaveConnection = (id?: number) =>
  useSaveRow<Connection, ConnectionInput>(connections, id);

export const useDeleteConnection = () => useDeleteRow(connections);

function useRefetch() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: connections.keys.all });
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

/** What is entered at Meta's, so that it posts what happens to the server. */
export const webhookQuery = () =>
  queryOptions({
    queryKey: ['webhook'],
    queryFn: ({ signal }) => api.get<Webhook>('/whatsapp/webhook', undefined, signal),
  });

/** Looks at one step of a number's set-up; nothing is saved. */
export const checkSetup = (input: SetupInput, signal: AbortSignal) =>
  api.post<SetupCheck>('/whatsapp/check', input, { signal });
