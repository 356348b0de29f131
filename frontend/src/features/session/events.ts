import { useTranslation } from 'react-i18next';
import { refreshSession, tokenClaim } from '@/lib/api/client';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { useSession } from '@/stores/session';
import { leaveSignOutNotice } from './notice';

const RELOAD_MS = 1000;
export interface AuthEvent {
  action: 'update';
  user: { id: number };
  /** Of the login that caused the event. */
  tokenVersion?: number;
}

/** Whether an auth event says that this very session was replaced by a login elsewhere. */
export function isTakenElsewhere(event: AuthEvent, userId: number, ownVersion: number): boolean {
  return event.user.id === userId && event.tokenVersion !== ownVersion;
}

/** Leaves when the account signs in elsewhere; follows changes of the own user. */
export function useSessionEvents() {
  const { t } = useTranslation('session');
  useCompanyEvent<AuthEvent>('auth', (event) => {
    const { user, token } = useSession.getState();
    if (!user || !token) return;
    if (!isTakenElsewhere(event, user.id, tokenClaim(token, 'tokenVersion') || user.tokenVersion))
      return;
    toast.errorText(t('takenElsewhere'));
    setTimeout(() => {
      localStorage.clear();
      leaveSignOutNotice(t('takenElsewhere'));
      window.location.reload();
    }, RELOAD_MS);
  });
  useCompanyEvent<{ action: string; user?: { id: number } }>('user', ({ action, user }) => {
    const isOwn = user?.id === useSession.getState().user?.id;
    // Name, queues and permissions come with the session; a failure shows at the next call.
    if (isOwn && action === 'update') refreshSession().catch(() => undefined);
  });
}
