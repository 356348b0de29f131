import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { ArchiveRequest, ArchiveState } from './types';

const PATH = '/company-archive';
const LOOK_MS = 2000;

/** The company's archive; asked for again while it is being written. */
export const archiveQuery = () =>
  queryOptions({
    queryKey: ['company-archive'],
    queryFn: ({ signal }) => api.get<ArchiveState>(PATH, undefined, signal),
    refetchInterval: ({ state }) => (state.data?.archive?.state === 'writing' ? LOOK_MS : false),
  });

const keep = (client: QueryClient) => (answer: ArchiveState) =>
  client.setQueryData(archiveQuery().queryKey, answer);

/** Has the archive written, in the place of the one there was. */
export function useRequestArchive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: ArchiveRequest) => api.post<ArchiveState>(PATH, request),
    onSuccess: keep(client),
  });
}

/** Deletes the archive, also one that is being written. */
export function useDeleteArchive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete<ArchiveState>(PATH),
    onSuccess: keep(client),
  });
}
