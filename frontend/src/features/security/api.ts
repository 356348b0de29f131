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

/** The second factor of the current user's account. */
export const twoFactorQuery = () =>
  queryOptions({
    queryKey: ownKey,
    queryFn: ({ signal }) => api.get<TwoFactor>(OWN, undefined, signal),
  });

/** Another user's second factor; for admins. */
export const userTwoFactorQuery = (userId: number) =>
  queryOptions({
    queryKey: userKey(userId),
    queryFn: ({ signal }) => api.get<TwoFactor>(`/users/${userId}/two-factor`, undefined, signal),
  });

/** The logins of the current user's account, newest first. */
export const signInsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['sign-ins'] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<SignInPage>('/auth/sign-ins', { pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap(({ records }) => records),
  });

/** Creates a secret for an authenticator app; requires the current password. */
export const useBeginTwoFactor = () =>
  useMutation({
    mutationFn: (currentPassword: string) => api.post<Enrolment>(OWN, { currentPassword }),
    // The answer is a secret: it must not stay in the cache.
    gcTime: 0,
  });

/** Confirms the secret with a code of the app; returns the recovery codes. */
export function useConfirmTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => api.put<RecoveryCodes>(OWN, { code }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
    gcTime: 0,
  });
}

/** Replaces the recovery codes; requires the current password. */
export function useRenewRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (currentPassword: string) =>
      api.post<RecoveryCodes>(`${OWN}/recovery-codes`, { currentPassword }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
    gcTime: 0,
  });
}

/** Turns the second factor off; requires the current password. */
export function useDisableTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (currentPassword: string) => api.delete(OWN, {}, { currentPassword }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ownKey }),
  });
}

/** Turns off the second factor of a user who has lost the phone. */
export function useDisableUserTwoFactor(userId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete(`/users/${userId}/two-factor`),
    onSuccess: () => void client.invalidateQueries({ queryKey: userKey(userId) }),
  });
}
