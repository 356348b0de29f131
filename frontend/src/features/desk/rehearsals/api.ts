import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import type { Proposal, Rehearsal, RehearsalDetail } from './types';

export type * from './types';

export const rehearsalKeys = {
  all: ['desk', 'rehearsals'] as const,
  list: ['desk', 'rehearsals', 'list'] as const,
  one: (id: number) => ['desk', 'rehearsals', id] as const,
};

/** The rehearsals that are kept, the latest first; one that runs is followed to its end. */
export const rehearsalsQuery = () =>
  queryOptions({
    queryKey: rehearsalKeys.list,
    staleTime: 0,
    queryFn: ({ signal }) => api.get<Rehearsal[]>('/rehearsals', undefined, signal),
    refetchInterval: ({ state }) => (state.data?.every(isOver) === false ? 5000 : false),
  });

/** A rehearsal and its report; a lost event is made up for while it runs. */
export const rehearsalQuery = (id: number) =>
  queryOptions({
    queryKey: rehearsalKeys.one(id),
    queryFn: ({ signal }) => api.get<RehearsalDetail>(`/rehearsals/${id}`, undefined, signal),
    refetchInterval: ({ state }) =>
      isGone(state.error) || (state.data && isOver(state.data.rehearsal)) ? false : 5000,
  });

/** Somebody else has stopped it, or deleted its report. */
export const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

export const isOver = ({ state }: Pick<Rehearsal, 'state'>) =>
  state === 'done' || state === 'failed';

export function useRehearse() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Proposal & { days: number }) => api.post<Rehearsal>('/rehearsals', input),
    onSuccess: (rehearsal) => {
      client.setQueryData<RehearsalDetail>(rehearsalKeys.one(rehearsal.id), {
        rehearsal,
        report: null,
      });
      void client.invalidateQueries({ queryKey: rehearsalKeys.list });
    },
  });
}

/** Stops a rehearsal, or deletes its report. */
export function useDeleteRehearsal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/rehearsals/${id}`),
    onError: (error) => toast.error(error),
    onSettled: () => client.invalidateQueries({ queryKey: rehearsalKeys.list }),
  });
}
