import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { Plan, PlanInput } from './types';

export type * from './types';

const KEY = ['plans'] as const;

/** Every plan by its name; the super user's. */
export const plansQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<Plan[]>('/plans/all', {}, signal),
    // Nobody is told of what another changes.
    staleTime: 0,
  });

interface Saving {
  /** Left out for a new one. */
  id?: number | undefined;
  fields: Partial<PlanInput>;
}

export function useSavePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving) =>
      id === undefined ? api.post<Plan>('/plans', fields) : api.put<Plan>(`/plans/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}

export function useDeletePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`/plans/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}
