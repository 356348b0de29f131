import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Coins } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { DataTable, type Column } from '@/components/DataTable';
import { DateField } from '@/components/DateField';
import { DownloadButton } from '@/components/DownloadButton';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { dateOf } from '@/lib/dates';
import { formatCount } from '@/lib/format';
import { paths } from '@/routes/paths';
import { Cost } from './Amounts';
import {
  costsQuery,
  fetchCostFile,
  GROUPINGS,
  type CostFigures,
  type CostGroup,
  type CostSearch,
  type Grouping,
} from './api';
import { AutomaticTexts } from './AutomaticTexts';
import { Meters } from './Meters';
import { useGroupName } from './useGroupName';

const FILTERS = ['dateFrom', 'dateTo'] as const;

type Row = Omit<CostGroup, 'id'> & { id: string; group: CostGroup };

const isGrouping = (text: string | null): text is Grouping =>
  GROUPINGS.some((each) => each === text);

/** What delivered messages cost, for admins (rules/costs §5). */
export function CostsPage() {
  const { t } = useTranslation(['costs', 'errors']);
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const wanted = params.get('groupBy');
  const search: CostSearch = {
    groupBy: isGrouping(wanted) ? wanted : 'source',
    dateFrom: params.get('dateFrom') ?? '',
    dateTo: params.get('dateTo') ?? '',
  };
  const { groupBy } = search;
  const nameOf = useGroupName(groupBy);
  const narrow = (name: keyof CostSearch) => (value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const dayFault = (day: string) => (day && !dateOf(day) ? t('filters.noDay') : undefined);
  const list = useInfiniteQuery({ ...costsQuery(search), placeholderData: keepPreviousData });
  const rows = list.data?.pages.flatMap(({ groups }) =>
    groups.map((group): Row => ({ ...group, id: keyOf(group), group })),
  );
  const total = list.data?.pages[0]?.total;

  const count = (id: 'messages' | 'billable' | 'free'): Column<Row> => ({
    id,
    header: t(`columns.${id}`),
    numeric: true,
    width: '128px',
    ...(id === 'billable' && { narrow: 'line' }),
    cell: ({ figures }) => formatCount(figures[id]),
  });
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: t(`groupings.${groupBy}`),
      primary: true,
      cell: ({ group }) => (
        <chakra.span fontWeight="medium" overflowWrap="anywhere">
          {nameOf(group)}
        </chakra.span>
      ),
    },
    count('messages'),
    count('free'),
    count('billable'),
    {
      id: 'cost',
      header: t('columns.cost'),
      numeric: true,
      narrow: 'end',
      width: '184px',
      cell: ({ figures }) => <Cost figures={figures} />,
    },
  ];

  return (
    // The page scrolls as a whole: above the table stands a card for each number.
    <chakra.div
      flex="1"
      minH="0"
      overflow="auto"
      display="flex"
      flexDirection="column"
      gap="4"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
    >
      <Meters />
      <AutomaticTexts />
      <chakra.div
        role="search"
        aria-label={t('filters.label')}
        flexShrink="0"
        display="grid"
        alignItems="end"
        gap="3"
        gridTemplateColumns={{ base: '1fr 1fr', lg: '220px 168px 168px 1fr' }}
      >
        <Field label={t('filters.groupBy')}>
          <Select
            value={groupBy}
            onChange={(event) => narrow('groupBy')(event.target.value)}
            options={GROUPINGS.map((value) => ({ value, label: t(`groupings.${value}`) }))}
          />
        </Field>
        {FILTERS.map((name) => (
          <Field key={name} label={t(`filters.${name}`)} error={dayFault(search[name])}>
            <DateField value={search[name]} onChange={narrow(name)} />
          </Field>
        ))}
        <chakra.div justifySelf="end">
          <DownloadButton
            label={t('export')}
            fileName="costs.csv"
            fetchFile={() => fetchCostFile(search)}
          />
        </chakra.div>
      </chakra.div>
      {total && total.messages > 0 && <Total figures={total} />}
      <DataTable
        label={t('label')}
        columns={columns}
        rows={rows}
        query={list}
        grows
        {...(groupBy === 'ticket' && {
          onRowClick: ({ uuid }: Row) => uuid && void navigate(paths.ticket(uuid)),
        })}
        empty={
          <EmptyState icon={<Coins size={20} />} title={t('empty.title')} text={t('empty.text')} />
        }
      />
    </chakra.div>
  );
}

/** A group's row id: what the server grouped by. */
const keyOf = ({ id, source, origin, category }: CostGroup) =>
  [id ?? '', source, origin, category].join(' ');

function Total({ figures }: { figures: CostFigures }) {
  const { t } = useTranslation('costs');
  return (
    <chakra.p flexShrink="0" textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
      {t('total', {
        count: figures.messages,
        messages: formatCount(figures.messages),
        billable: formatCount(figures.billable),
        free: formatCount(figures.free),
      })}{' '}
      <chakra.span color="fg.default" fontWeight="semibold">
        <Cost figures={figures} />
      </chakra.span>
    </chakra.p>
  );
}
