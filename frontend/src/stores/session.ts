import { create } from 'zustand';
import type { SessionAnswer, SessionUser } from '@/lib/api/types';
import { isCampaignsEnabled } from '@/lib/permissions';

type Status = 'starting' | 'unreachable' | 'in' | 'out';

interface SessionState {
  status: Status;
  token: string | null;
  user: SessionUser | null;
  /** The due date of an overdue company; set if the session allows nothing but paying. */
  overdueSince: string | null;
  /** The server simulates WhatsApp, with a page for the customers' phones. */
  simulator: boolean;
  /** The simulated phone scans the QR codes, too. */
  simulatedQr: boolean;
}

const KEYS = {
  token: 'token',
  companyId: 'companyId',
  userId: 'userId',
  companyDueDate: 'companyDueDate',
  campaigns: 'cshow',
} as const;

const storedToken = () => localStorage.getItem(KEYS.token);

/** Who is signed in. Read with `useSession(selector)`; changed by the functions below alone. */
export const useSession = create<SessionState>(() => ({
  status: storedToken() ? 'starting' : 'out',
  token: storedToken(),
  user: null,
  overdueSince: null,
  simulator: false,
  simulatedQr: false,
}));

const NOTICE = 'signedOutNotice';

/**
 * Stores the reason for the end of this tab's session, for the login page; the first stored reason
 * wins.
 */
export function leaveSignOutNotice(sentence: string) {
  if (!sessionStorage.getItem(NOTICE)) sessionStorage.setItem(NOTICE, sentence);
}

/** Returns why the last session of this tab ended, and forgets it. */
export function takeSignOutNotice(): string | null {
  const sentence = sessionStorage.getItem(NOTICE);
  sessionStorage.removeItem(NOTICE);
  return sentence;
}

/**
 * Opens a session from the answer of a login or a refresh; with `isOverdue` it allows nothing but
 * paying.
 */
export function openSession(answer: SessionAnswer, isOverdue = false) {
  const { token, user, simulator = false, simulatedQr = false } = answer;
  sessionStorage.removeItem(NOTICE);
  localStorage.setItem(KEYS.token, token);
  localStorage.setItem(KEYS.companyId, String(user.companyId));
  localStorage.setItem(KEYS.userId, String(user.id));
  localStorage.setItem(KEYS.companyDueDate, user.company.dueDate);
  if (isCampaignsEnabled(user)) localStorage.setItem(KEYS.campaigns, 'true');
  else localStorage.removeItem(KEYS.campaigns);
  const overdueSince = isOverdue ? user.company.dueDate : null;
  useSession.setState({ status: 'in', token, user, overdueSince, simulator, simulatedQr });
}

/** Forgets token and company; the route guards then lead to /login, which shows `why` if given. */
export function closeSession(why?: string) {
  if (why !== undefined) leaveSignOutNotice(why);
  for (const key of Object.values(KEYS)) localStorage.removeItem(key);
  useSession.setState({ status: 'out', token: null, user: null, overdueSince: null });
}

export function setSessionStatus(status: Status) {
  useSession.setState({ status });
}

/** Applies the signed-in user's changes to their own profile. */
export function changeUser(changes: Partial<SessionUser>) {
  useSession.setState(({ user }) => ({ user: user && { ...user, ...changes } }));
}

/** The signed-in user; for components that only render behind the private guard. */
export function useCurrentUser(): SessionUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('useCurrentUser needs a signed-in user');
  return user;
}
