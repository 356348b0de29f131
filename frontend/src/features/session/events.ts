import { useTranslation } from 'react-i18next';
import { refreshSession, tokenClaim } from '@/lib/api/client';
import type { LiveEvent, SessionUser } from '@/lib/api/types';
import { clearStorage } from '@/lib/keptWork';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { leaveSignOutNotice, useSession } from '@/stores/session';

const RELOAD_MS = 1000;

/** Whether an auth event means that a login elsewhere has replaced this session. */
export function isTakenElsewhere(
  event: LiveEvent<'auth'>,
  userId: number,
  ownVersion: number,
): boolean {
  return event.user.id === userId && event.tokenVersion !== ownVersion;
}

/** Whether a user's event says more than that the user came or went. */
export function isMoreThanPresence(
  changed: Extract<LiveEvent<'user'>, { action: 'update' }>['user'],
  known: SessionUser,
): boolean {
  return Object.entries(changed).some(
    ([name, value]) =>
      name !== 'online' &&
      JSON.stringify(value) !== JSON.stringify(known[name as keyof SessionUser]),
  );
}

/**
 * Ends the session when the account signs in elsewhere, and refreshes it when the own user changes.
 */
export function useSessionEvents() {
  const { t } = useTranslation('errors');
  useCompanyEvent('auth', (event) => {
    const { user, token } = useSession.getState();
    if (!user || !token) return;
    if (!isTakenElsewhere(event, user.id, tokenClaim(token, 'tokenVersion') || user.tokenVersion))
      return;
    toast.errorText(t('ERR_SIGNED_IN_ELSEWHERE'));
    leaveSignOutNotice(t('ERR_SIGNED_IN_ELSEWHERE'));
    setTimeout(() => {
      const present = useSession.getState().token;
      // The user has signed in again meanwhile.
      if (present && present !== token) return;
      clearStorage();
      leaveSignOutNotice(t('ERR_SIGNED_IN_ELSEWHERE'));
      // A refused request may have led to the login page: whoever types there is not interrupted.
      if (present) window.location.reload();
    }, RELOAD_MS);
  });
  useCompanyEvent('user', (event) => {
    // Name, queues and permissions are part of the session. A failed refresh shows up in the next
    // request.
    const { user } = useSession.getState();
    if (event.action !== 'update' || event.user.id !== user?.id) return;
    if (isMoreThanPresence(event.user, user)) refreshSession().catch(() => undefined);
  });
  useCompanyEvent('role', (event) => {
    const { user } = useSession.getState();
    if (event.action === 'update' && event.record.key === user?.role)
      refreshSession().catch(() => undefined);
  });
}
