import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '@/components/DateField';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { PresenceMark } from '@/components/PresenceMark';
import { EmptyLine, SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { dayOf, isDay } from '@/lib/dates';
import { formatTime } from '@/lib/format';
import { timelineQuery } from './calls';
import type { PresencePeriod, TeamMember } from './types';

interface TimelineDialogProps {
  member: TeamMember;
  onClose: () => void;
}

/** How somebody was present on a day. */
export function TimelineDialog({ member, onClose }: TimelineDialogProps) {
  const { t } = useTranslation('desk');
  const [date, setDate] = useState(dayOf(new Date()));
  // What is no day shows today.
  const periods = useQuery(timelineQuery(member.id, isDay(date) ? date : dayOf(new Date())));
  return (
    <Dialog open size="sm" onClose={onClose} title={t('timeline.title', { name: member.name })}>
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('timeline.day')}>
          <DateField value={date} onChange={setDate} />
        </Field>
        {periods.isError ? (
          <SmallError error={periods.error} onRetry={() => void periods.refetch()} />
        ) : periods.isPending ? (
          <SkeletonFields heights={['5', '5', '5']} />
        ) : periods.data.length === 0 ? (
          <EmptyLine>{t('timeline.empty')}</EmptyLine>
        ) : (
          <chakra.ol listStyleType="none" p="0" display="flex" flexDirection="column" gap="2">
            {periods.data.map((period) => (
              <Period key={period.startedAt} period={period} />
            ))}
          </chakra.ol>
        )}
      </chakra.div>
    </Dialog>
  );
}

function Period({ period }: { period: PresencePeriod }) {
  const { t } = useTranslation(['desk', 'shell']);
  const { presence, reason, startedAt, endedAt } = period;
  const words = reason ? t('shell:presence.reason', { reason }) : t(`shell:presence.${presence}`);
  return (
    <chakra.li display="flex" gap="3" textStyle="sm">
      <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums" w="28" flexShrink="0">
        {formatTime(startedAt)} – {endedAt ? formatTime(endedAt) : t('timeline.now')}
      </chakra.span>
      <PresenceMark presence={presence} label={words} words />
    </chakra.li>
  );
}
