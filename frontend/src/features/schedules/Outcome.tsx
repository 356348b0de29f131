import { chakra } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Send } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import type { Schedule } from './types';

const LOOKS = {
  AGENDADA: { Icon: Send, tone: 'info' },
  ENVIADA: { Icon: CircleCheck, tone: 'live' },
  ERRO: { Icon: CircleAlert, tone: 'danger' },
} as const;

/** The outcome of a schedule in a sentence above the form; nothing while it is pending. */
export function Outcome({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation('schedules');
  const reason = useReason();
  const { status } = schedule;
  if (status === 'PENDENTE') return null;
  const { Icon, tone } = LOOKS[status];
  const sentence = {
    AGENDADA: t('outcome.queued'),
    ENVIADA: t('outcome.sent', { moment: formatDateTime(schedule.sentAt ?? schedule.sendAt) }),
    ERRO: t('outcome.failed', { moment: formatDateTime(schedule.sendAt) }),
  }[status];
  return (
    <chakra.div
      role={status === 'ERRO' ? 'alert' : 'status'}
      display="flex"
      gap="3"
      mb="5"
      px="4"
      py="3"
      borderRadius="md"
      bg={`status.${tone}.subtle`}
      textStyle="sm"
    >
      <chakra.span color={`status.${tone}.fg`} display="flex" flexShrink="0" mt="0.5">
        <Icon size={16} aria-hidden />
      </chakra.span>
      <chakra.div minW="0" overflowWrap="anywhere">
        {sentence}
        {status === 'ERRO' && (
          <chakra.p fontWeight="medium" color="status.danger.fg">
            {reason(schedule, schedule.errorReason)}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}
