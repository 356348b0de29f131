import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useDeleteRow, useSaveFields } from '@/lib/api/resource';
import type { Plan, PlanInput } from './types';

export type * from './types';

const KEY = ['plans'] as const;

const plans = { path: '/plans', keys: { all: KEY } };

/** Every plan by its name; the super user's. */
export const plansQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<Plan[]>('/plans/all', {}, signal),
    // Nobody is told of what another changes.
    staleTime: 0,
  });

export const useSavePlan = () => useSaveFields<Plan, Partial<PlanInput>>(plans);

export const useDeletePlan = () => useDeleteRow(plans);
