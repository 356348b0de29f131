import { chakra } from '@chakra-ui/react';
import { Hourglass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import { useStep } from './steps';
import { waitOf } from './Waited';

interface DeadlineMarkProps {
  /** The nearest deadline; undefined in rows of an older answer. */
  dueAt: string | null | undefined;
  /** When its last quarter begins. */
  warnsAt: string | null | undefined;
}

/** What is left until a ticket's deadline, from its last quarter on (rules/desk §8). */
export function DeadlineMark({ dueAt, warnsAt }: DeadlineMarkProps) {
  return dueAt && warnsAt ? <Left dueAt={dueAt} warnsAt={warnsAt} /> : null;
}

function Left({ dueAt, warnsAt }: { dueAt: string; warnsAt: string }) {
  const { t } = useTranslation('inbox');
  const now = useStep();
  if (now < Date.parse(warnsAt)) return null;
  const left = Date.parse(dueAt) - now;
  const isMissed = left <= 0;
  // What has begun counts while it is left, and what is over when it is whole.
  const minutes = isMissed ? Math.floor(-left / 60_000) : Math.ceil(left / 60_000);
  const { unit, count } = waitOf(minutes);
  return (
    <chakra.time
      data-aside
      dateTime={dueAt}
      title={t(isMissed ? 'deadline.missedAt' : 'deadline.dueAt', { time: formatDateTime(dueAt) })}
      display="inline-flex"
      alignItems="center"
      gap="1"
      flexShrink="0"
      textStyle="xs"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      color={isMissed ? 'status.danger.fg' : 'status.waiting.fg'}
    >
      <Hourglass size={12} aria-hidden />
      {t(`deadline.${isMissed ? 'over' : 'left'}.${unit}`, { n: count })}
    </chakra.time>
  );
}
