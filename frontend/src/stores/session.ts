import { create } from 'zustand';
import type { SessionAnswer, SessionUser } from '@/lib/api/types';
import { isCampaignsEnabled } from '@/lib/permissions';

type Status = 'starting' | 'unreachable' | 'in' | 'out';

interface SessionState {
  status: Status;
  token: string | null;
  user: SessionUser | null;
  /** The day that an overdue company is to pay for: the session is good for that alone. */
  overdueSince: string | null;
  /** The server plays WhatsApp itself, with a page for the customers' telephone. */
  simulator: boolean;
  /** That telephone scans the codes, too. */
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

/** Leaves for the login page why this tab's session ends; what was left first is the reason. */
export function leaveSignOutNotice(sentence: string) {
  if (!sessionStorage.getItem(NOTICE)) sessionStorage.setItem(NOTICE, sentence);
}

/** Why the last session of this tab ended; told once. */
export function takeSignOutNotice(): string | null {
  const sentence = sessionStorage.getItem(NOTICE);
  sessionStorage.removeItem(NOTICE);
  return sentence;
}

/** Takes the answer of a login or a refresh; `isOverdue`: it is good for paying alone. */
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

/** Forgets token and company; the guards then lead to /login, which tells `why` where given. */
export function closeSession(why?: string) {
  if (why !== undefined) leaveSignOutNotice(why);
  for (const key of Object.values(KEYS)) localStorage.removeItem(key);
  useSession.setState({ status: 'out', token: null, user: null, overdueSince: null });
}

export function setSessionStatus(status: Status) {
  useSession.setState({ status });
}

/** Takes what the signed-in user changed of oneself. */
export function changeUser(changes: Partial<SessionUser>) {
  useSession.setState(({ user }) => ({ user: user && { ...user, ...changes } }));
}

/** The signed-in user; for components that only render behind the private guard. */
export function useCurrentUser(): SessionUser {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('useCurrentUser needs a signed-in user');
  return user;
}
