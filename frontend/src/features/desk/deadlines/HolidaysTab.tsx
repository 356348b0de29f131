import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarOff, ChevronLeft, ChevronRight, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateField } from '@/components/DateField';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { Select } from '@/components/Select';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { useSaveSetting, useSetting } from '@/features/settings/api';
import { formatDay } from '@/lib/format';
import { normaliseTime } from '@/lib/hours';
import { errorMessage, toast } from '@/lib/toast';
import { holidaysQuery } from './api';
import { dayFault, withDay, withoutDay, type OwnDay } from './holidays';
import type { Holiday } from './types';

const STATES = [
  ...['AC', 'AL', 'AP', 'AM', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MT', 'MS', 'MG', 'PA'],
  ...['PB', 'PR', 'PE', 'PI', 'RJ', 'RN', 'RS', 'RO', 'RR', 'SC', 'SP', 'SE', 'TO'],
];
const NOTHING: OwnDay = { date: '', name: '', startTime: '', endTime: '' };

/** The company's days off: national ones, and its own (rules/hours §4). */
export function HolidaysTab() {
  const { t } = useTranslation('deadlines');
  const national = useSetting('nationalHolidays');
  const own = useSetting('ownHolidays');
  const [year, setYear] = useState(() => new Date().getFullYear());
  const days = useQuery(holidaysQuery(year, national, own));
  const saveNational = useSaveSetting('nationalHolidays');
  const addOwn = useSaveSetting('ownHolidays');
  const removeOwn = useSaveSetting('ownHolidays');
  // Each change is made to the days that are stored.
  const isBusy = addOwn.isPending || removeOwn.isPending;
  return (
    <chakra.div display="flex" flexDirection="column" gap="5" maxW="820px">
      <chakra.p textStyle="sm" color="fg.muted" maxW="72ch">
        {t('holidays.help')}
      </chakra.p>
      <Field label={t('holidays.national')}>
        <Select
          options={[
            { value: '', label: t('holidays.nations.none') },
            { value: 'BR', label: t('holidays.nations.brazil') },
            ...STATES.map((state) => ({
              value: `BR-${state}`,
              label: t('holidays.nations.state', { state }),
            })),
          ]}
          value={saveNational.isPending ? saveNational.variables : national}
          onChange={(event) =>
            saveNational.mutate(event.target.value, { onError: (error) => toast.error(error) })
          }
        />
      </Field>
      <AddDay own={own} save={addOwn} isBusy={isBusy} />
      <chakra.section aria-label={t('holidays.ofYear', { year })}>
        <chakra.div display="flex" alignItems="center" gap="2" mb="2">
          <IconButton
            size="sm"
            icon={<ChevronLeft size={16} />}
            label={t('holidays.before')}
            onClick={() => setYear(year - 1)}
          />
          <chakra.h3 textStyle="md" fontWeight="semibold" fontVariantNumeric="tabular-nums">
            {year}
          </chakra.h3>
          <IconButton
            size="sm"
            icon={<ChevronRight size={16} />}
            label={t('holidays.after')}
            onClick={() => setYear(year + 1)}
          />
        </chakra.div>
        {days.error && !days.data ? (
          <ErrorState error={days.error} onRetry={() => void days.refetch()} />
        ) : !days.data ? (
          <SkeletonRows rows={4} />
        ) : days.data.length === 0 ? (
          <EmptyState icon={<CalendarOff size={20} />} title={t('holidays.empty')} />
        ) : (
          <chakra.ul
            listStyleType="none"
            m="0"
            p="0"
            borderWidth="1px"
            borderRadius="md"
            bg="bg.surface"
          >
            {days.data.map((day) => (
              <DayLine
                key={day.date}
                day={day}
                isBusy={isBusy}
                onRemove={() =>
                  removeOwn.mutate(withoutDay(own, day.date), {
                    onError: (error) => toast.error(error),
                  })
                }
              />
            ))}
          </chakra.ul>
        )}
      </chakra.section>
    </chakra.div>
  );
}

interface DayLineProps {
  day: Holiday;
  isBusy: boolean;
  onRemove: () => void;
}

function DayLine({ day, isBusy, onRemove }: DayLineProps) {
  const { t } = useTranslation('deadlines');
  return (
    <chakra.li
      display="grid"
      // On narrow screens what the day is stands under its name.
      gridTemplateColumns={{ base: '6rem 1fr auto', sm: '6rem 1fr auto auto' }}
      alignItems="center"
      columnGap="3"
      px="4"
      py="2"
      minH="11"
      textStyle="sm"
      _notFirst={{ borderTopWidth: '1px' }}
    >
      <chakra.span fontVariantNumeric="tabular-nums">{formatDay(day.date)}</chakra.span>
      <chakra.span minW="0" overflowWrap="anywhere">
        {day.name}
      </chakra.span>
      <chakra.span
        color="fg.muted"
        gridRow={{ base: '2', sm: 'auto' }}
        gridColumn={{ base: '2 / -1', sm: 'auto' }}
      >
        {[
          day.startTime
            ? t('holidays.open', { start: day.startTime, end: day.endTime })
            : t('holidays.closed'),
          ...(day.national ? [t('holidays.isNational')] : []),
        ].join(' · ')}
      </chakra.span>
      {!day.national && (
        <IconButton
          size="sm"
          icon={<Trash2 size={16} />}
          label={t('holidays.remove', { name: day.name })}
          aria-disabled={isBusy}
          onClick={isBusy ? undefined : onRemove}
        />
      )}
    </chakra.li>
  );
}

interface AddDayProps {
  own: string;
  save: ReturnType<typeof useSaveSetting>;
  /** The days are being saved. */
  isBusy: boolean;
}

function AddDay({ own, save, isBusy }: AddDayProps) {
  const { t } = useTranslation('deadlines');
  const [day, setDay] = useState<OwnDay>(NOTHING);
  const [isJudged, setJudged] = useState(false);
  const fault = dayFault(day);
  const change = (part: Partial<OwnDay>) => {
    setJudged(false);
    setDay({ ...day, ...part });
  };
  const message = save.isError ? errorMessage(save.error) : isJudged && fault ? t(fault) : null;
  const time = (name: 'startTime' | 'endTime') => (
    <Field label={t(`holidays.${name}`)}>
      <TextInput
        w={{ base: 'full', sm: '96px' }}
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        placeholder="--:--"
        value={day[name]}
        onChange={(event) => change({ [name]: event.target.value })}
        onBlur={() => change({ [name]: normaliseTime(day[name]) })}
      />
    </Field>
  );
  return (
    <chakra.form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setJudged(true);
        if (fault) return;
        save.mutate(withDay(own, day), {
          onSuccess: () => {
            toast.success(t('holidays.added'));
            setDay(NOTHING);
            setJudged(false);
          },
        });
      }}
    >
      <chakra.div
        display="grid"
        gap="3"
        alignItems="end"
        gridTemplateColumns={{ base: '1fr 1fr', sm: '160px 1fr auto auto auto' }}
      >
        <Field label={t('holidays.date')}>
          <DateField value={day.date} onChange={(date) => change({ date })} />
        </Field>
        <Field label={t('holidays.name')}>
          <TextInput
            maxLength={60}
            autoComplete="off"
            value={day.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        {time('startTime')}
        {time('endTime')}
        <Button type="submit" variant="outline" icon={<Plus size={16} />} loading={isBusy}>
          {t('holidays.add')}
        </Button>
      </chakra.div>
      <chakra.p mt="1.5" textStyle="xs" color="fg.muted">
        {t('holidays.timesHelp')}
      </chakra.p>
      {message && (
        <chakra.p role="alert" mt="1.5" textStyle="sm" color="status.danger.fg">
          {message}
        </chakra.p>
      )}
    </chakra.form>
  );
}
