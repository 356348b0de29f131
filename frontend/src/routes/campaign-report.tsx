import { useNavigate, useParams } from 'react-router';
import { ReportPage } from '@/features/campaigns/report/ReportPage';
import { paths } from './paths';

/** The report of a campaign. */
export function Component() {
  const navigate = useNavigate();
  const id = Number(useParams().id);
  return (
    <ReportPage
      key={id}
      campaignId={id}
      onBack={() => void navigate(paths.campaigns)}
      onOpenTicket={(uuid) => void navigate(paths.ticket(uuid))}
    />
  );
}
