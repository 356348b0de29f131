import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ErrorState } from '@/components/States';
import { Splash } from '@/components/Splash';
import { resumeSession } from '@/features/session/api';
import { useSessionEvents } from '@/features/session/events';
import { entryOfPath, isVisible } from '@/features/shell/navigation';
import { Shell } from '@/features/shell/Shell';
import { networkError } from '@/lib/api/errors';
import { openSocket } from '@/lib/socket';
import { useCurrentUser, useSession } from '@/stores/session';
import { paths } from './paths';

/** The private part: a session first, then the shell around the page. */
export function Component() {
  const { t } = useTranslation('session');
  const status = useSession((state) => state.status);
  if (status === 'out') return <Navigate to={paths.login} replace />;
  if (status === 'starting') return <Splash label={t('starting')} />;
  if (status === 'unreachable') {
    return (
      <ErrorState
        title={t('unreachableTitle')}
        error={networkError()}
        onRetry={() => void resumeSession()}
      />
    );
  }
  return <Private />;
}

function Private() {
  const user = useCurrentUser();
  const { pathname } = useLocation();
  useEffect(() => openSocket(), [user.id]);
  useSessionEvents();
  const entry = entryOfPath(pathname);
  const forbidden = entry !== undefined && !isVisible(entry, user);
  return <Shell>{forbidden ? <Navigate to={paths.home} replace /> : <Outlet />}</Shell>;
}
