import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import type { Enrolment, RecoveryCodes, SignInPage, TwoFactor } from './types';

export type * from './types';

const OWN = '/auth/two-factor';
const ownKey = ['two-factor', 'own'] as const;
const userKey = (userId: number) => ['two-factor', userId] as const;

/** Whether the own account asks for a code. */
export const twoFactorQuery = () =>
  queryOptions({
    queryKey: ownKey,
    queryFn: ({ signal }) => api.get<TwoFactor>(OWN, undefined, signal),
  });

/** Whether somebody else's does; for admins. */
export const userTwoFactorQuery = (userId: number) =>
  queryOptions({
    queryKey: userKey(userId),
    queryFn: ({ signal }) => api.get<TwoFactor>(`/users/${userId}/two-factor`, undefined, signal),
  });

/** When the own account was signed in to, the newest first. */
export const signInsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['sign-ins'] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<SignInPage>('/auth/sign-ins', { pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap(({ records }) => records),
  });

/** Draws a secret for an authenticator; takes the present password. */
export const useBeginTwoFactor = () =>
  useMutation({
    mutationFn: (currentPassword: string) => api.post<Enrolment>(OWN, { currentPassword }),
    // What it answers opens the account.
    gcTime: 0,
  });

/** Shows a code of the authenticator; answers the recovery codes. */
export function useConfirmTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api.put<RecoveryCodes>(OWN, { code }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
    gcTime: 0,
  });
}

/** Draws new recovery codes; takes the present password. */
export function useRenewRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (currentPassword: string) =>
      api.post<RecoveryCodes>(`${OWN}/recovery-codes`, { currentPassword }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
    gcTime: 0,
  });
}

/** Asks for no codes any more; takes the present password. */
export function useDisableTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (currentPassword: string) => api.delete(OWN, {}, { currentPassword }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
  });
}

/** Lets somebody in by password alone who lost the telephone. */
export function useDisableUserTwoFactor(userId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete(`/users/${userId}/two-factor`),
    onSuccess: () => void client.invalidateQueries({ queryKey: userKey(userId) }),
  });
}
