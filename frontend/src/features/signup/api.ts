import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { Plan } from '@/lib/api/types';

type Schemas = components['schemas'];

/** Whether this installation offers the sign-up, and a plan to sign up for. */
export const signupOfferQuery = () =>
  queryOptions({
    queryKey: ['signup', 'offer'] as const,
    queryFn: () => api.get<Schemas['CompanySignupOffer']>('/auth/signup'),
  });

/** The public plans, cheapest first. */
export const publicPlansQuery = () =>
  queryOptions({
    queryKey: ['signup', 'plans'] as const,
    queryFn: () => api.get<Plan[]>('/plans/list'),
  });

/** Creates a company with its first admin. */
export function useSignUp() {
  return useMutation({
    mutationFn: (body: Schemas['CompanySignupRequest']) =>
      api.post<Schemas['Company']>('/auth/signup', body, { anonymous: true }),
  });
}
