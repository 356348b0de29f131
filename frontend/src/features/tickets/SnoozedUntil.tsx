import { chakra } from '@chakra-ui/react';
import { AlarmClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';

/** Until when a ticket is put aside, in place of its time. */
export function SnoozedUntil({ until }: { until: string | null }) {
  const { t } = useTranslation('inbox');
  return (
    <chakra.span
      data-aside
      display="inline-flex"
      alignItems="center"
      gap="1"
      flexShrink="0"
      textStyle="xs"
      color="fg.muted"
      fontVariantNumeric="tabular-nums"
    >
      <AlarmClock size={12} aria-hidden />
      {until ? t('snoozed.until', { time: formatDateTime(until) }) : t('snoozed.reply')}
    </chakra.span>
  );
}
