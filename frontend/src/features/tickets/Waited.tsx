import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import { STEP_MS, useStep } from './steps';

const HOUR = 60;
const DAY = 24 * HOUR;
const LONG = 10;
const TOO_LONG = 30;

/** The unit and number in which a wait of some minutes is told. */
export function waitOf(minutes: number) {
  if (minutes < 1) return { unit: 'now', count: 0 } as const;
  if (minutes < HOUR) return { unit: 'minutes', count: minutes } as const;
  if (minutes < DAY) return { unit: 'hours', count: Math.floor(minutes / HOUR) } as const;
  return { unit: 'days', count: Math.floor(minutes / DAY) } as const;
}

const colourOf = (minutes: number) =>
  minutes < LONG ? 'fg.muted' : minutes < TOO_LONG ? 'status.waiting.fg' : 'status.danger.fg';

/** How long a contact has been waiting; it goes on while it is shown. */
export function Waited({ since }: { since: string }) {
  const { t } = useTranslation('tickets');
  const now = useStep();
  const minutes = Math.max(0, Math.floor((now + STEP_MS - Date.parse(since)) / 60_000));
  const { unit, count } = waitOf(minutes);
  return (
    <chakra.time
      data-aside
      dateTime={since}
      title={t('waiting.since', { time: formatDateTime(since) })}
      textStyle="xs"
      fontVariantNumeric="tabular-nums"
      fontWeight={minutes < LONG ? 'normal' : 'semibold'}
      color={colourOf(minutes)}
    >
      {t(`waiting.${unit}`, { n: count })}
    </chakra.time>
  );
}
