import { chakra } from '@chakra-ui/react';
import { Copy, Plus, X } from 'lucide-react';
import { Fragment, useId, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import {
  closedDay,
  completeHours,
  copyHours,
  hoursErrors,
  isClosedDay,
  isOvernight,
  LUNCH,
  MOST_MORE,
  nextPeriod,
  normaliseTime,
  shiftTime,
  WEEKDAYS,
  WORKDAYS,
  type HoursErrors,
  type Period,
  type ScheduleRow,
} from '@/lib/hours';
import { useErrorText } from '@/lib/useErrorText';
import { Button } from './Button';
import { IconButton } from './IconButton';
import { Menu } from './Menu';
import { TextInput } from './TextInput';
import { Switch } from './Toggle';

export type { ScheduleRow } from '@/lib/hours';

/** The step of the arrow keys. */
const STEP_MINUTES = 15;
const USUAL = { startTime: '08:00', endTime: '18:00' };
const USUAL_BREAK = { startTime: '12:00', endTime: '13:00' };

interface WorkingHoursProps {
  value: readonly ScheduleRow[];
  onChange: (rows: ScheduleRow[]) => void;
  /**
   * The server's errors by the index of the row; errors of the rows themselves are always shown.
   */
  errors?: HoursErrors;
  readOnly?: boolean;
}

/** The working hours of a week and the break: each day is closed, or open between two times. */
export function WorkingHours({
  value,
  onChange,
  errors = {},
  readOnly = false,
}: WorkingHoursProps) {
  const { t } = useTranslation();
  const rows = completeHours(value);
  const own = hoursErrors(rows);
  // The times of a day before it was switched off, to be restored with it.
  const [before, setBefore] = useState<Readonly<Record<string, Times>>>({});
  // The row being edited: its times may be equal for a moment.
  const [typing, setTyping] = useState<string | null>(null);

  const change = (weekdayEn: string, times: Partial<ScheduleRow>) =>
    onChange(rows.map((row) => (row.weekdayEn === weekdayEn ? { ...row, ...times } : row)));

  const toggle = (row: ScheduleRow, on: boolean) => {
    const { weekdayEn, startTime, endTime } = row;
    const isBreak = weekdayEn === LUNCH;
    const usual = isBreak ? USUAL_BREAK : USUAL;
    const off = isBreak ? { ...row, startTime: '', endTime: '' } : closedDay(row);
    if (!on) setBefore({ ...before, [weekdayEn]: { startTime, endTime } });
    change(weekdayEn, on ? (before[weekdayEn] ?? usual) : off);
  };

  return (
    <chakra.div display="flex" flexDirection="column">
      {rows.map((row, index) => {
        const { weekdayEn, startTime, endTime } = row;
        const isBreak = weekdayEn === LUNCH;
        const isOff = isBreak ? !startTime && !endTime : isClosedDay(row);
        return (
          <HoursRow
            key={weekdayEn}
            row={row}
            on={!isOff || typing === weekdayEn}
            errors={{ ...own[index], ...errors[index] }}
            readOnly={readOnly}
            onToggle={(on) => toggle(row, on)}
            onTimes={(times) => change(weekdayEn, times)}
            onTyping={(isTyping) => setTyping(isTyping ? weekdayEn : null)}
            onMore={(morePeriods) => change(weekdayEn, { morePeriods })}
            copy={
              !isBreak &&
              !readOnly && (
                <Menu
                  trigger={
                    <IconButton
                      size="sm"
                      icon={<Copy size={16} />}
                      label={t('hours.copyDay', { day: t(`hours.days.${weekdayEn}`) })}
                    />
                  }
                  groups={[
                    {
                      label: t('hours.copy'),
                      entries: [
                        {
                          id: 'workdays',
                          label: t('hours.copyWorkdays'),
                          onSelect: () => onChange(copyHours(rows, row, WORKDAYS)),
                        },
                        {
                          id: 'all',
                          label: t('hours.copyAll'),
                          onSelect: () => onChange(copyHours(rows, row, WEEKDAYS)),
                        },
                      ],
                    },
                  ]}
                />
              )
            }
          />
        );
      })}
    </chakra.div>
  );
}

type Times = Pick<ScheduleRow, 'startTime' | 'endTime'>;

interface HoursRowProps {
  row: ScheduleRow;
  on: boolean;
  errors: Partial<Record<'startTime' | 'endTime', string>>;
  readOnly: boolean;
  onToggle: (on: boolean) => void;
  onTimes: (times: Partial<Times>) => void;
  onTyping: (isTyping: boolean) => void;
  onMore: (more: Period[]) => void;
  copy: React.ReactNode;
}

function HoursRow(props: HoursRowProps) {
  const { row, on, errors, readOnly, onToggle, onTimes, onTyping, onMore, copy } = props;
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  // A time that is being typed is invalid for a while: show the error only after the field is left.
  const [isActive, setActive] = useState(false);
  const day = t(`hours.days.${row.weekdayEn}`);
  const message = isActive ? undefined : errorText(errors.startTime ?? errors.endTime);

  const time = (name: 'startTime' | 'endTime') => (
    <TimeField
      label={t(`hours.${name}`, { day })}
      isInvalid={!isActive && errors[name] !== undefined}
      describedBy={message === undefined ? undefined : `${id}-error`}
      readOnly={readOnly}
      value={row[name]}
      onChange={(value) => onTimes({ [name]: value })}
    />
  );

  return (
    <chakra.div
      role="group"
      aria-label={day}
      display="grid"
      gridTemplateColumns={{ base: '1fr auto', sm: '196px auto 1fr auto' }}
      alignItems="center"
      columnGap="4"
      rowGap="2"
      py="2"
      minH="13"
      borderTopWidth="1px"
      borderColor="border.subtle"
      _first={{ borderTopWidth: '0' }}
    >
      <Switch checked={on} onChange={onToggle} label={day} disabled={readOnly} />
      <chakra.div
        gridRow={{ base: '2', sm: 'auto' }}
        gridColumn={{ base: '1 / -1', sm: 'auto' }}
        display={on ? 'flex' : 'none'}
        alignItems="center"
        gap="2"
        onFocus={() => {
          setActive(true);
          onTyping(true);
        }}
        onBlur={(event) => {
          if (event.currentTarget.contains(event.relatedTarget)) return;
          setActive(false);
          onTyping(false);
        }}
      >
        {time('startTime')}
        <chakra.span color="fg.muted" textStyle="sm" flexShrink="0">
          {t('hours.until')}
        </chakra.span>
        {time('endTime')}
      </chakra.div>
      <chakra.div
        gridRow={{ base: on ? '3' : '2', sm: 'auto' }}
        gridColumn={{ base: '1 / -1', sm: on ? 'auto' : '2 / 4' }}
        textStyle="sm"
        color="fg.muted"
        minW="0"
        _empty={{ display: { base: 'none', sm: 'block' } }}
      >
        {message === undefined ? (
          <HoursWords row={row} on={on} />
        ) : (
          <chakra.span id={`${id}-error`} role="alert" color="status.danger.fg">
            {message}
          </chakra.span>
        )}
      </chakra.div>
      <chakra.div gridRow={{ base: '1', sm: 'auto' }} gridColumn={{ base: '2', sm: '4' }} minH="8">
        {on && copy}
      </chakra.div>
      {on && row.weekdayEn !== LUNCH && row.startTime && !isClosedDay(row) && (
        <MorePeriods row={row} day={day} readOnly={readOnly} onMore={onMore} />
      )}
    </chakra.div>
  );
}

/** Explains the times if the digits alone do not. */
function HoursWords({ row, on }: { row: ScheduleRow; on: boolean }) {
  const { t } = useTranslation();
  if (row.weekdayEn === LUNCH) return on ? t('hours.breakWords') : t('hours.noBreak');
  if (!on) return t('hours.closed');
  if (isClosedDay(row)) return t('hours.closedEqual');
  if (!row.startTime && !row.endTime) return t('hours.allDay');
  return isOvernight(row) ? t('hours.overnight', { time: row.endTime }) : null;
}

interface MoreProps {
  row: ScheduleRow;
  day: string;
  readOnly: boolean;
  onMore: (more: Period[]) => void;
}

interface TimeFieldProps {
  label: string;
  value: string;
  readOnly: boolean | undefined;
  onChange: (value: string) => void;
  isInvalid?: boolean;
  describedBy?: string | undefined;
}

/** A time of day; the arrow keys move it by `STEP_MINUTES`. */
function TimeField(props: TimeFieldProps) {
  const { label, value, readOnly, onChange, isInvalid = false, describedBy } = props;
  return (
    <TextInput
      w={{ base: 'full', sm: '84px' }}
      textAlign="center"
      fontVariantNumeric="tabular-nums"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      placeholder="--:--"
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      readOnly={readOnly}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        const tidy = normaliseTime(value);
        if (tidy !== value) onChange(tidy);
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!direction || readOnly) return;
        event.preventDefault();
        onChange(shiftTime(normaliseTime(value), direction * STEP_MINUTES));
      }}
    />
  );
}

/** The further periods of a day, as after a long break at noon. */
function MorePeriods({ row, day, readOnly, onMore }: MoreProps) {
  const { t } = useTranslation();
  const more = row.morePeriods ?? [];
  const change = (index: number, times: Partial<Period>) =>
    onMore(more.map((each, at) => (at === index ? { ...each, ...times } : each)));
  if (readOnly && more.length === 0) return null;
  return (
    <chakra.div
      gridColumn={{ base: '1 / -1', sm: '2 / -1' }}
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      rowGap="2"
    >
      {more.map((period, index) => (
        <chakra.span
          key={index}
          display="flex"
          w={{ base: 'full', sm: 'auto' }}
          alignItems="center"
          gap="2"
        >
          {(['startTime', 'endTime'] as const).map((name) => (
            <Fragment key={name}>
              {name === 'endTime' && (
                <chakra.span color="fg.muted" textStyle="sm" flexShrink="0">
                  {t('hours.until')}
                </chakra.span>
              )}
              <TimeField
                label={t(`hours.more.${name}`, { day, number: index + 2 })}
                readOnly={readOnly}
                value={period[name]}
                onChange={(value) => change(index, { [name]: value })}
              />
            </Fragment>
          ))}
          {!readOnly && (
            <IconButton
              size="sm"
              icon={<X size={16} />}
              label={t('hours.more.remove', { day, number: index + 2 })}
              onClick={() => onMore(more.filter((_, at) => at !== index))}
            />
          )}
        </chakra.span>
      ))}
      {!readOnly && more.length < MOST_MORE && (
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('hours.more.addTo', { day })}
          onClick={() => onMore([...more, nextPeriod(row)])}
        >
          <Plus size={16} aria-hidden />
          {t('hours.more.add')}
        </Button>
      )}
    </chakra.div>
  );
}
