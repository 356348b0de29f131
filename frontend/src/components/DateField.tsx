import { CalendarDays } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays, dateOf, dayOf, readDay } from '@/lib/dates';
import { formatDay } from '@/lib/format';
import { MonthGrid } from './MonthGrid';
import { PickedField, type PickedFieldProps } from './PickedField';

/** The value is YYYY-MM-DD. */
interface DateFieldProps extends PickedFieldProps {
  /** The first day that the calendar offers. */
  min?: string;
}

/**
 * A day, typed as DD/MM/YYYY like on all pages, or chosen from a calendar. The browser's own date
 * field uses the browser's language; Chakra's silently corrects an impossible day.
 */
export function DateField({ value, min, ...props }: DateFieldProps) {
  const { t } = useTranslation();
  const date = dateOf(value);
  return (
    <PickedField
      {...props}
      shown={date ? formatDay(value) : value}
      placeholder={t('date.placeholder')}
      maxLength={16}
      read={(typed) => readDay(typed) ?? typed.trim()}
      step={(direction) => date && dayOf(addDays(date, direction))}
      icon={<CalendarDays size={16} />}
      open={t('date.open')}
      label={t('date.calendar')}
      width="352px"
      placement="bottom-start"
    >
      {(pick) => <MonthGrid value={value} min={min} onPick={pick} />}
    </PickedField>
  );
}
