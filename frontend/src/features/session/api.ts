import { useMutation } from '@tanstack/react-query';
import { api, openToPay, refreshSession } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import type { SessionAnswer, SessionUser } from '@/lib/api/types';
import { daysUntil } from '@/lib/format';
import { queryClient } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import {
  changeUser,
  closeSession,
  openSession,
  setSessionStatus,
  takeSignOutNotice,
  useCurrentUser,
  useSession,
} from '@/stores/session';

/** Fewer days than this before the due date are worth a warning (rules/companies §4). */
const WARNING_DAYS = 5;

export interface Credentials {
  email: string;
  password: string;
  /** The second factor, once the server asked for it (`isCodeAsked`). */
  code?: string;
}

/** Whether a sign-in failed for want of the second factor, the password being right. */
export const isCodeAsked = (error: unknown) =>
  error instanceof ApiError && error.code.startsWith('ERR_TWO_FACTOR_');

/**
 * Signs in. Answers the days left when they are fewer than five, else null. An overdue company's
 * admin is in to pay; for others of it this throws ERR_COMPANY_EXPIRED (rules/companies §4).
 */
export async function logIn(credentials: Credentials): Promise<number | null> {
  let answer: SessionAnswer;
  try {
    answer = await api.post<SessionAnswer>('/auth/login', credentials, { anonymous: true });
  } catch (error) {
    if (openToPay(error)) return null;
    throw error;
  }
  const { dueDate } = answer.user.company;
  const days = dueDate ? daysUntil(dueDate) : null;
  openSession(answer);
  return days !== null && days < WARNING_DAYS ? Math.max(days, 0) : null;
}

/** Ends the session here, whether or not the server could be told. */
export async function logOut() {
  try {
    await api.delete('/auth/logout');
  } catch {
    // Offline or already refused: this browser forgets the session all the same.
  }
  closeSession();
  // Who leaves knows why.
  takeSignOutNotice();
}

/** Takes up the session a reload left behind. */
export async function resumeSession() {
  if (!useSession.getState().token) return;
  setSessionStatus('starting');
  try {
    await refreshSession();
  } catch {
    // It was ended, and the login page says why.
    if (useSession.getState().status !== 'starting') return;
    setSessionStatus('unreachable');
  }
}

/** What one session read is not for the next one, nor for another tab that signed out. */
export function watchSession() {
  useSession.subscribe(({ status, overdueSince }, before) => {
    if (status === 'out' && before.status !== 'out') queryClient.clear();
    // Nor is what a whole one read for one that is good for paying alone.
    if (overdueSince !== before.overdueSince) queryClient.clear();
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== 'token' && key !== null) return;
    const { status } = useSession.getState();
    if (!newValue && status === 'in') closeSession();
    else if (newValue && status === 'in') useSession.setState({ token: newValue });
    else if (newValue && status === 'out') {
      useSession.setState({ token: newValue });
      void resumeSession();
    }
  });
}

/**
 * Whether resolving opens the next conversation, and what changes that. It is the user's own, in
 * every browser; shown at once, and as it was when the server did not take it.
 */
export function useOpensNext(): [boolean, () => void] {
  const { opensNext } = useCurrentUser();
  const { mutate } = useMutation({
    mutationFn: (wanted: boolean) => api.put<SessionUser>('/auth/me', { opensNext: wanted }),
    onMutate: (wanted) => changeUser({ opensNext: wanted }),
    onError: (error, wanted) => {
      changeUser({ opensNext: !wanted });
      toast.error(error);
    },
  });
  return [opensNext, () => mutate(!opensNext)];
}
