import { Ban, CircleCheck, CircleDashed, Clock, Send, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { CampaignStatus } from './types';

const ICONS: Record<CampaignStatus, LucideIcon> = {
  INATIVA: CircleDashed,
  PROGRAMADA: Clock,
  EM_ANDAMENTO: Send,
  CANCELADA: Ban,
  FINALIZADA: CircleCheck,
};

const TONES = {
  INATIVA: 'neutral',
  PROGRAMADA: 'soft',
  EM_ANDAMENTO: 'info',
  CANCELADA: 'danger',
  FINALIZADA: 'live',
} as const;

/** The status of a campaign; amber while a running one has to wait. */
export function StatusBadge({
  status,
  isWaiting = false,
}: {
  status: CampaignStatus;
  isWaiting?: boolean;
}) {
  const { t } = useTranslation('campaigns');
  const isAmber = isWaiting && status === 'EM_ANDAMENTO';
  const Icon = isAmber ? Clock : ICONS[status];
  return (
    <Badge tone={isAmber ? 'waiting' : TONES[status]} gap="1" h="5" px="2" whiteSpace="nowrap">
      <Icon size={12} aria-hidden />
      {t(`status.${status}`)}
    </Badge>
  );
}
