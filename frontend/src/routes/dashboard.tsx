import { Navigate, useNavigate } from 'react-router';
import { DashboardPage } from '@/features/dashboard/DashboardPage';
import { can } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { paths } from './paths';

/** The home page: the dashboard if the user may see it, otherwise the conversations. */
export function Component() {
  const user = useCurrentUser();
  const navigate = useNavigate();
  if (!can(user, 'dashboard:view')) return <Navigate to={paths.tickets} replace />;
  return <DashboardPage onOpenTicket={(uuid) => void navigate(paths.ticket(uuid))} />;
}
