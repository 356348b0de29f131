import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import type { NewPassword } from './schemas';

type Offer = components['schemas']['ResetOffer'];

/** Whether codes can be sent here (rules/accounts §11). */
export const resetOfferQuery = queryOptions({
  queryKey: ['password-reset'],
  queryFn: ({ signal }) => api.get<Offer>('/password-reset', undefined, signal),
});

/** Has a code sent to the address, if it has an account; the answer does not say. */
export const askForCode = (email: string) =>
  api.post('/password-reset', { email }, { anonymous: true });

/** Sets the new password of who shows the code. */
export const resetPassword = (email: string, { code, password }: NewPassword) =>
  api.post('/password-reset/confirm', { email, code, password }, { anonymous: true });
