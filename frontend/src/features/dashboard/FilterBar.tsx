import { chakra } from '@chakra-ui/react';
import { useId, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateField } from '@/components/DateField';
import { DownloadButton } from '@/components/DownloadButton';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { Segmented } from '@/components/Tabs';
import { fetchDashboardFile } from './api';
import { PERIODS, withType, type Asked, type Fault, type Filters } from './filters';

/** Aligns controls without a label with the fields beside them. */
const BESIDE_FIELDS = { mt: { base: '0', sm: '26px' }, justifySelf: { sm: 'start' } };

interface FilterBarProps {
  filters: Filters;
  faults: { from: Fault; to: Fault };
  onChange: (filters: Filters) => void;
  onAsk: () => void;
  isAsking: boolean;
  /** The current query, which the export uses too. */
  asked: Asked;
}

/** The days, by dates or by a period; choosing one resets the other. */
export function FilterBar({ filters, faults, onChange, onAsk, isAsking, asked }: FilterBarProps) {
  const { t } = useTranslation(['dashboard', 'errors']);
  const typeId = useId();
  const isByDate = filters.type === 'date';
  const words = (fault: Fault) =>
    fault && (fault === 'noDay' ? t('filters.noDay') : t('errors:ERR_DASHBOARD_DATES'));
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    onAsk();
  };
  return (
    <chakra.form
      noValidate
      role="search"
      aria-label={t('filters.label')}
      onSubmit={ask}
      display="grid"
      flexShrink="0"
      alignItems="start"
      gap="3"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr) minmax(0, 1fr)',
        sm: 'minmax(max-content, 1fr) minmax(0, 1fr) minmax(0, 1fr)',
        lg: 'auto 152px 152px 168px auto 1fr',
      }}
    >
      <chakra.div
        gridColumn={{ base: '1 / -1', sm: 'auto' }}
        display="flex"
        flexDirection="column"
        gap="1.5"
        minW="0"
        // As high as the fields beside it.
        css={{ '& [role=tablist]': { minH: '9' } }}
      >
        <chakra.span id={typeId} textStyle="sm" fontWeight="semibold">
          {t('filters.type')}
        </chakra.span>
        <Segmented
          aria-label={t('filters.type')}
          value={filters.type}
          onChange={(type) => onChange(withType(filters, type))}
          tabs={[
            { value: 'date', label: t('filters.byDate') },
            { value: 'period', label: t('filters.byPeriod') },
          ]}
        />
      </chakra.div>
      <Field label={t('filters.from')} error={words(faults.from)}>
        <DateField
          value={filters.from}
          disabled={!isByDate}
          onChange={(from) => onChange({ ...filters, from })}
        />
      </Field>
      <Field label={t('filters.to')} error={words(faults.to)}>
        <DateField
          value={filters.to}
          disabled={!isByDate}
          onChange={(to) => onChange({ ...filters, to })}
        />
      </Field>
      <chakra.div gridColumn={{ base: '1 / -1', sm: 'auto' }}>
        <Field label={t('filters.period')}>
          <Select
            value={filters.days}
            disabled={isByDate}
            placeholder={t('filters.none')}
            onChange={(event) => onChange({ ...filters, days: event.target.value })}
            options={PERIODS.map((days) => ({
              value: String(days),
              label: t('filters.lastDays', { count: days }),
            }))}
          />
        </Field>
      </chakra.div>
      <chakra.div display="contents" css={{ '& > button': BESIDE_FIELDS }}>
        <Button variant="solid" type="submit" loading={isAsking}>
          {t('filters.ask')}
        </Button>
        <chakra.div {...BESIDE_FIELDS} justifySelf={{ sm: 'end' }} display="grid">
          <DownloadButton
            label={t('export')}
            fileName="dashboard.xlsx"
            fetchFile={() => fetchDashboardFile(asked)}
          />
        </chakra.div>
      </chakra.div>
    </chakra.form>
  );
}
