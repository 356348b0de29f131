import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';

export interface Connection {
  id: number;
  name: string;
  number: string;
  status: string;
  /** Why it is not connected, or why its sends wait; in words. */
  statusReason: string;
  sendsPausedUntil: string | null;
  provider: string;
  isDefault: boolean;
  phone_number_id: string;
  waba_id: string;
  /** A mask where one is stored. */
  accessToken: string;
  queues: { id: number; name: string; color: string }[];
  greetingMessage: string;
  updatedAt: string;
}

/** The company's connections, without their sessions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => api.get<Connection[]>('/whatsapp/', { session: 0 }, signal),
  });

export interface ConnectionInput {
  name: string;
  provider: 'official';
  phone_number_id: string;
  waba_id: string;
  accessToken: string;
  queueIds: number[];
  greetingMessage: string;
  isDefault: boolean;
}

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
