import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { NewPassword } from './schemas';

type Offer = components['schemas']['ResetOffer'];

/** Whether this installation can send codes (rules/accounts §11). */
export const resetOfferQuery = queryOptions({
  queryKey: ['password-reset'],
  queryFn: ({ signal }) => api.get<Offer>('/password-reset', undefined, signal),
});

/** Requests a code by e-mail; the answer does not reveal whether the account exists. */
export const askForCode = (email: string) =>
  api.post('/password-reset', { email }, { anonymous: true });

/** Sets a new password with the code. */
export const resetPassword = (email: string, { code, password }: NewPassword) =>
  api.post('/password-reset/confirm', { email, code, password }, { anonymous: true });
