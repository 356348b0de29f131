import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { DateTime } from '@/components/Cells';
import { DataTable, type Column } from '@/components/DataTable';
import { DateField } from '@/components/DateField';
import { Field } from '@/components/Field';
import { Page } from '@/components/Page';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { userOptionsQuery } from '@/features/users/api';
import { dateOf } from '@/lib/dates';
import { auditQuery, type AuditEntry, type AuditSearch } from './api';
import { KINDS, subjectOf } from './entries';

const FILTERS = ['userId', 'kind', 'from', 'to'] as const;

/** Who did what in the company, when and from where (rules/accounts §7). */
export function AuditTable() {
  const { t, i18n } = useTranslation(['audit', 'common']);
  const [params, setParams] = useSearchParams();
  const search = Object.fromEntries(
    FILTERS.map((name) => [name, params.get(name) ?? '']),
  ) as unknown as AuditSearch;
  const narrow = (name: keyof AuditSearch) => (value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const dayFault = (day: string) => (day && !dateOf(day) ? t('filters.noDay') : undefined);
  const users = useQuery(userOptionsQuery());
  const list = useInfiniteQuery({ ...auditQuery(search), placeholderData: keepPreviousData });
  const isNarrowed = Object.values(search).some(Boolean);

  const columns: Column<AuditEntry>[] = [
    {
      id: 'action',
      header: t('columns.action'),
      primary: true,
      cell: ({ action }) => {
        const key = `audit:actions.${action}`;
        return <chakra.span fontWeight="medium">{i18n.exists(key) ? t(key) : action}</chakra.span>;
      },
    },
    {
      id: 'subject',
      header: t('columns.subject'),
      narrow: 'line',
      cell: (entry) => subjectOf(entry),
    },
    {
      id: 'actor',
      header: t('columns.actor'),
      narrow: 'line',
      cell: ({ actorName }) =>
        actorName || <chakra.span color="fg.muted">{t('system')}</chakra.span>,
    },
    {
      id: 'address',
      header: t('columns.address'),
      cell: ({ ipAddress }) => (
        <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
          {ipAddress ?? ''}
        </chakra.span>
      ),
    },
    {
      id: 'when',
      header: t('columns.when'),
      narrow: 'end',
      width: '160px',
      cell: ({ createdAt }) => <DateTime at={createdAt} />,
    },
  ];

  return (
    <Page>
      <chakra.div
        role="search"
        aria-label={t('filters.label')}
        display="grid"
        gridTemplateColumns={{ base: '1fr 1fr', lg: 'repeat(4, minmax(0, 220px))' }}
        gap="3"
      >
        <Field label={t('filters.user')}>
          <Select
            value={search.userId}
            onChange={(event) => narrow('userId')(event.target.value)}
            placeholder={t('filters.anybody')}
            options={(users.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
        <Field label={t('filters.kind')}>
          <Select
            value={search.kind}
            onChange={(event) => narrow('kind')(event.target.value)}
            placeholder={t('filters.anything')}
            options={KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
          />
        </Field>
        <Field label={t('filters.from')} error={dayFault(search.from)}>
          <DateField value={search.from} onChange={narrow('from')} />
        </Field>
        <Field label={t('filters.to')} error={dayFault(search.to)}>
          <DateField value={search.to} onChange={narrow('to')} />
        </Field>
      </chakra.div>
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.pages.flatMap(({ records }) => records)}
        query={list}
        empty={
          <EmptyState
            icon={<ScrollText size={20} />}
            title={isNarrowed ? t('empty.narrowed') : t('empty.title')}
          />
        }
      />
    </Page>
  );
}
