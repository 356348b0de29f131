import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DateField } from '@/components/DateField';
import { Field } from '@/components/Field';
import { Select, type Option } from '@/components/Select';
import { connectionsQuery } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { useSetting } from '@/features/settings/api';
import { tagsQuery } from '@/features/tags/api';
import { userOptionsQuery } from '@/features/users/api';
import { dateOf, todayIn } from '@/lib/dates';
import { useCurrentUser } from '@/stores/session';
import { daysOf, periodOf, PERIODS, reachOf, type Period, type Search, type Tab } from './search';

interface FilterBarProps {
  search: Search;
  tab: Tab;
  /** The days that the server took where none are chosen. */
  days: { dateFrom: string; dateTo: string } | undefined;
  onChange: (change: Partial<Search>) => void;
}

/** Days, person, queue, connection, tag, and by which clock times count. */
export function FilterBar({ search, tab, days, onChange }: FilterBarProps) {
  const { t } = useTranslation('reports');
  const reach = reachOf(useCurrentUser());
  const today = todayIn(useSetting('timeZone') || 'America/Sao_Paulo');
  const shown = {
    dateFrom: search.dateFrom || days?.dateFrom || '',
    dateTo: search.dateTo || days?.dateTo || '',
  };
  const fault = (day: string) => (day && !dateOf(day) ? t('filters.noDay') : undefined);
  // Both, so that what is shown is what is asked for.
  const pickDay = (name: 'dateFrom' | 'dateTo') => (day: string) =>
    onChange({ ...shown, [name]: day });
  return (
    <chakra.div
      role="search"
      aria-label={t('filters.label')}
      flexShrink="0"
      display="grid"
      alignItems="end"
      gap="3"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        md: 'repeat(4, minmax(0, 1fr))',
        '2xl': 'repeat(8, minmax(0, 1fr))',
      }}
    >
      <Field label={t('filters.period')}>
        <Select
          value={periodOf(shown, today)}
          placeholder={t('periods.own')}
          onChange={({ target }) => target.value && onChange(daysOf(target.value as Period, today))}
          options={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
        />
      </Field>
      <Field label={t('filters.dateFrom')} error={fault(shown.dateFrom)}>
        <DateField value={shown.dateFrom} onChange={pickDay('dateFrom')} />
      </Field>
      <Field label={t('filters.dateTo')} error={fault(shown.dateTo)}>
        <DateField value={shown.dateTo} onChange={pickDay('dateTo')} />
      </Field>
      {reach !== 'own' && <People search={search} tab={tab} onChange={onChange} />}
      {tab !== 'activity' && <Places search={search} onChange={onChange} />}
    </chakra.div>
  );
}

type PartProps = Pick<FilterBarProps, 'search' | 'onChange'>;

const optionOf = ({ id, name }: { id: number; name: string }): Option => ({
  value: String(id),
  label: name,
});

function People({ search, tab, onChange }: PartProps & Pick<FilterBarProps, 'tab'>) {
  const { t } = useTranslation('reports');
  const { data: users = [] } = useQuery(userOptionsQuery());
  const user = useCurrentUser();
  // Conversations of the own queues may be anybody's.
  const isNarrow = tab === 'activity' && reachOf(user) === 'queue';
  const own = new Set(user.queues.map(({ id }) => id));
  const shown = users.filter(
    ({ id, queues }) => !isNarrow || id === user.id || queues.some((each) => own.has(each.id)),
  );
  return (
    <Field label={t('filters.userId')}>
      <Select
        value={search.userId}
        placeholder={t('filters.everybody')}
        onChange={({ target }) => onChange({ userId: target.value })}
        options={[
          ...shown.map(optionOf),
          ...(tab === 'activity' ? [] : [{ value: '0', label: t('filters.nobody') }]),
        ]}
      />
    </Field>
  );
}

function Places({ search, onChange }: PartProps) {
  const { t } = useTranslation('reports');
  const queues = useQuery(queuesQuery());
  const connections = useQuery(connectionsQuery());
  const tags = useQuery(tagsQuery());
  return (
    <>
      <Field label={t('filters.queueId')}>
        <Select
          value={search.queueId}
          placeholder={t('filters.allQueues')}
          onChange={({ target }) => onChange({ queueId: target.value })}
          options={[
            ...(queues.data ?? []).map(optionOf),
            { value: '0', label: t('filters.noQueue') },
          ]}
        />
      </Field>
      <Field label={t('filters.connectionId')}>
        <Select
          value={search.connectionId}
          placeholder={t('filters.allConnections')}
          onChange={({ target }) => onChange({ connectionId: target.value })}
          options={[
            ...(connections.data ?? []).map(optionOf),
            { value: '0', label: t('filters.noConnection') },
          ]}
        />
      </Field>
      <Field label={t('filters.tagId')}>
        <Select
          value={search.tagId}
          placeholder={t('filters.allTags')}
          onChange={({ target }) => onChange({ tagId: target.value })}
          options={(tags.data ?? []).map(optionOf)}
        />
      </Field>
      <Field label={t('filters.clock')}>
        <Select
          value={search.clock}
          placeholder={t('filters.allTime')}
          onChange={({ target }) => onChange({ clock: target.value })}
          options={[{ value: 'open', label: t('filters.openTime') }]}
        />
      </Field>
    </>
  );
}
