import { lazy, Suspense } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { DashboardPage } from '@/features/dashboard/DashboardPage';
import { useHasDeadlines } from '@/features/desk/deadlines/api';
import { conversationsPath, searchOf } from '@/features/reports/search';
import { opens } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { paths } from './paths';

const Meters = lazy(() =>
  import('@/features/costs/Meters').then((file) => ({ default: file.Meters })),
);

const DeadlinesPart = lazy(() =>
  import('@/features/desk/deadlines/DeadlinesPart').then((file) => ({
    default: file.DeadlinesPart,
  })),
);

/** The home page: the dashboard if the user may see it, otherwise the conversations. */
export function Component() {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const hasDeadlines = useHasDeadlines();
  if (!opens(user, 'dashboard')) return <Navigate to={paths.tickets} replace />;
  return (
    <DashboardPage
      onOpenTicket={(uuid) => void navigate(paths.ticket(uuid))}
      onOpenConversations={(narrow) => void navigate(conversationsPath(searchOf(), narrow))}
      deadlines={(days) =>
        hasDeadlines && (
          <Suspense>
            <DeadlinesPart days={days} onOpenTicket={(uuid) => void navigate(paths.ticket(uuid))} />
          </Suspense>
        )
      }
      meters={
        opens(user, 'costs') && (
          <Suspense>
            <Meters />
          </Suspense>
        )
      }
    />
  );
}
