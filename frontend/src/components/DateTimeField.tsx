import { chakra } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clockOf, dayOf, isDay, momentOf } from '@/lib/dates';
import { isTime } from '@/lib/hours';
import { DateField } from './DateField';
import { TimeField } from './TimeField';

interface DateTimeFieldProps {
  /** The label of both fields together. */
  label: string;
  /** The initial moment. */
  start: Date;
  /** Called with each moment that day and time form together. */
  onChange: (moment: Date) => void;
  size?: 'sm' | 'md';
}

/** A moment as two fields, day and time; errors of either are shown below. */
export function DateTimeField({ label, start, onChange, size = 'md' }: DateTimeFieldProps) {
  const { t } = useTranslation();
  const errorId = useId();
  const [day, setDay] = useState(() => dayOf(start));
  const [time, setTime] = useState(() => clockOf(start));
  // A day that is being typed is invalid for a while: show the error only after the field is left.
  const [isActive, setActive] = useState(false);
  const wrongDay = !isActive && !isDay(day);
  const wrongTime = !isActive && !isTime(time);

  const change = (nextDay: string, nextTime: string) => {
    setDay(nextDay);
    setTime(nextTime);
    const moment = momentOf(nextDay, nextTime);
    if (moment) onChange(moment);
  };
  const state = (wrong: boolean) => ({
    'aria-invalid': wrong || undefined,
    'aria-describedby': wrong ? errorId : undefined,
    onFocus: () => setActive(true),
    onBlur: () => setActive(false),
    size,
  });

  return (
    <chakra.div role="group" aria-label={label} flex="1" minW="0">
      {/* If both do not fit side by side, the time moves below. */}
      <chakra.div
        display="grid"
        gridTemplateColumns="repeat(auto-fit, minmax(min(100%, 128px), 1fr))"
        gap="2"
      >
        <DateField
          aria-label={t('date.label')}
          value={day}
          onChange={(next) => change(next, time)}
          {...state(wrongDay)}
        />
        <TimeField
          aria-label={t('time.label')}
          value={time}
          onChange={(next) => change(day, next)}
          {...state(wrongTime)}
        />
      </chakra.div>
      {(wrongDay || wrongTime) && (
        <chakra.p id={errorId} role="alert" textStyle="xs" color="status.danger.fg" pt="1">
          {t(wrongDay ? 'date.impossible' : 'hours.invalid')}
        </chakra.p>
      )}
    </chakra.div>
  );
}
