import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { useDeleteRow, useSaveFields } from '@/lib/api/resource';
import type { Plan, PlanInput } from './types';

export type * from './types';

const KEY = ['plans'] as const;

const plans = { path: '/plans', keys: { all: KEY } };

/** All plans by name; for the super user. */
export const plansQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<Plan[]>('/plans/all', {}, signal),
    // There is no event when another user changes a plan.
    staleTime: 0,
  });

export const useSavePlan = () => useSaveFields<Plan, Partial<PlanInput>>(plans);

export const useDeletePlan = () => useDeleteRow(plans);
