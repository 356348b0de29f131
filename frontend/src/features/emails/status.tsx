import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Email } from './types';

const LOOKS = {
  waiting: { Icon: Clock, tone: 'waiting' },
  sent: { Icon: CircleCheck, tone: 'live' },
  failed: { Icon: CircleAlert, tone: 'danger' },
} as const;

/** The status of an e-mail. */
export function StatusBadge({ status }: Pick<Email, 'status'>) {
  const { t } = useTranslation('emails');
  const { Icon, tone } = LOOKS[status];
  return (
    <Badge tone={tone} gap="1">
      <Icon size={12} aria-hidden />
      {t(`status.${status}`)}
    </Badge>
  );
}
