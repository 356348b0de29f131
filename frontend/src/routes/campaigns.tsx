import { useNavigate } from 'react-router';
import { CampaignsTable } from '@/features/campaigns/CampaignsTable';
import { paths } from './paths';

export function Component() {
  const navigate = useNavigate();
  return <CampaignsTable onReport={({ id }) => void navigate(paths.campaignReport(id))} />;
}
