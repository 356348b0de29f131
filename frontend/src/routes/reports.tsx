import { useNavigate } from 'react-router';
import { ReportsPage } from '@/features/reports/ReportsPage';
import { paths } from './paths';

export function Component() {
  const navigate = useNavigate();
  return <ReportsPage onOpenTicket={(uuid) => void navigate(paths.ticket(uuid))} />;
}
