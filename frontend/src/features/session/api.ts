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
import { confirmUnsent } from '@/stores/unsent';

/** A due date in fewer days than this causes a warning at login (rules/companies §4). */
const WARNING_DAYS = 5;

export interface Credentials {
  email: string;
  password: string;
  /** The second factor's code, once the server has asked for it (`isCodeAsked`). */
  code?: string;
}

/**
 * Whether a login failed because the second factor is missing or wrong; the password was correct.
 */
export const isCodeAsked = (error: unknown) =>
  error instanceof ApiError && error.code.startsWith('ERR_TWO_FACTOR_');

/**
 * Signs in. Returns the days until the due date if fewer than five, otherwise null. An overdue
 * company's admin gets a session for payment only; for its other users this throws
 * ERR_COMPANY_EXPIRED (rules/companies §4).
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

/**
 * Ends the session in this browser, even if the request to the server fails. Asks first if messages
 * were not sent.
 */
export async function logOut() {
  if (!(await confirmUnsent('logout'))) return;
  try {
    await api.delete('/auth/logout');
  } catch {
    // Offline, or the session is already invalid: sign out in this browser anyway.
  }
  closeSession();
  // The user signed out deliberately: the login page shows no notice.
  takeSignOutNotice();
}

/** Restores the session after a page load. */
export async function resumeSession() {
  if (!useSession.getState().token) return;
  setSessionStatus('starting');
  try {
    await refreshSession();
  } catch {
    // The session has ended; the login page shows the reason.
    if (useSession.getState().status !== 'starting') return;
    setSessionStatus('unreachable');
  }
}

/** Clears cached data when the session ends, and follows logins and logouts in other tabs. */
export function watchSession() {
  useSession.subscribe(({ status, overdueSince }, before) => {
    if (status === 'out' && before.status !== 'out') queryClient.clear();
    // A session for payment only must not see data of a full session.
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
 * The user's setting 'open the next conversation after resolving', and a function that toggles it.
 * The change is optimistic and is rolled back on failure.
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
