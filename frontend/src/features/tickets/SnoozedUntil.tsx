import { chakra } from '@chakra-ui/react';
import { AlarmClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatDateTime, formatTime, isSameDay } from '@/lib/format';

/** Without the year: nothing is put aside for longer than one. */
const shortOf = (until: string) =>
  isSameDay(until, Date.now())
    ? formatTime(until)
    : `${formatDate(until).slice(0, 5)} ${formatTime(until)}`;

/** Until when a ticket is put aside, in place of its time. */
export function SnoozedUntil({ until }: { until: string | null }) {
  const { t } = useTranslation('inbox');
  return (
    <chakra.span
      data-aside
      title={until ? t('snoozed.until', { time: formatDateTime(until) }) : undefined}
      display="inline-flex"
      alignItems="center"
      gap="1"
      flexShrink="0"
      textStyle="xs"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
    >
      <AlarmClock size={12} aria-hidden />
      {until ? t('snoozed.until', { time: shortOf(until) }) : t('snoozed.reply')}
    </chakra.span>
  );
}
