import { CircleAlert, CircleCheck, Clock, Send, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { ScheduleStatus } from './types';

export const STATUS_ICONS: Record<ScheduleStatus, LucideIcon> = {
  PENDENTE: Clock,
  AGENDADA: Send,
  ENVIADA: CircleCheck,
  ERRO: CircleAlert,
};

const TONES = { PENDENTE: 'soft', AGENDADA: 'info', ENVIADA: 'live', ERRO: 'danger' } as const;

export function StatusBadge({ status }: { status: ScheduleStatus }) {
  const { t } = useTranslation('schedules');
  const Icon = STATUS_ICONS[status];
  return (
    <Badge tone={TONES[status]} gap="1" h="5" px="2" whiteSpace="nowrap">
      <Icon size={12} aria-hidden />
      {t(`status.${status}`)}
    </Badge>
  );
}
