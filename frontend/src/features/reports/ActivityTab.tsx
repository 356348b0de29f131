import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserRoundCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyState } from '@/components/States';
import { formatCount, formatDay, formatTime } from '@/lib/format';
import { useSpan } from '@/lib/useSpan';
import { reach, touch } from '@/theme/screens';
import { activityQuery, fetchActivity } from './api';
import { FileButtons } from './FileButtons';
import { conversationsPath, searchOf, type Search } from './search';
import type { PersonDay } from './types';

type Row = PersonDay & { id: string };

const WorkLink = chakra(Link, {
  base: {
    ...reach,
    fontWeight: 'medium',
    _hover: { textDecoration: 'underline' },
    // A digit at the edge: what reaches beyond the panel is clipped.
    [touch]: { ...reach[touch], display: 'inline-block', minW: '6' },
  },
});

/** Names a number where the table has no heads. */
const NarrowLabel = chakra('span', {
  base: {
    display: 'block',
    textStyle: 'xs',
    color: 'fg.muted',
    '@media (min-width: 900px)': { display: 'none' },
  },
});

/** People's days: how long they were there, and what they did (rules/reports §5). */
export function ActivityTab({ search }: { search: Search }) {
  const { t } = useTranslation('reports');
  const span = useSpan();
  const navigate = useNavigate();
  const list = useInfiniteQuery(activityQuery(search));
  const rows = list.data?.pages.flatMap(({ days }) =>
    days.map((day): Row => ({ ...day, id: `${day.date}-${day.userId}` })),
  );
  /** The conversations of a day. What days cannot be narrowed by does not narrow them either. */
  const pathOf = (day: string, narrow: Partial<Search>) =>
    conversationsPath(
      { ...searchOf(), clock: search.clock },
      { dateFrom: day, dateTo: day, ...narrow },
    );
  /** What a person did on a day, which opens the conversations in which it was done. */
  const worked = ({ userId, userName, date }: Row, count: number) =>
    count === 0 ? (
      formatCount(count)
    ) : (
      <WorkLink
        to={pathOf(date, { workedBy: String(userId) })}
        onClick={(event) => event.stopPropagation()}
        aria-label={t('activity.worked', { count, shown: formatCount(count), name: userName })}
      >
        {formatCount(count)}
      </WorkLink>
    );
  const columns: Column<Row>[] = [
    {
      id: 'person',
      header: t('columns.userName'),
      primary: true,
      cell: ({ userName }) => userName,
    },
    { id: 'date', header: t('activity.date'), narrow: 'line', cell: ({ date }) => formatDay(date) },
    {
      id: 'online',
      header: t('activity.onlineSeconds'),
      numeric: true,
      narrow: 'line',
      cell: ({ onlineSeconds }) => (onlineSeconds ? span(onlineSeconds) : null),
    },
    {
      id: 'paused',
      header: t('activity.pausedSeconds'),
      cell: ({ pausedSeconds, pauses }) =>
        pausedSeconds ? (
          <>
            {span(pausedSeconds)}
            <chakra.span display="block" textStyle="xs" color="fg.muted">
              {pauses
                .map(
                  ({ reason, seconds }) => `${reason || t('activity.noReason')} ${span(seconds)}`,
                )
                .join(' · ')}
            </chakra.span>
          </>
        ) : (
          '–'
        ),
    },
    {
      id: 'offline',
      header: t('activity.offlineSeconds'),
      numeric: true,
      cell: ({ offlineSeconds }) => (offlineSeconds ? span(offlineSeconds) : null),
    },
    {
      id: 'first',
      header: t('activity.firstAt'),
      numeric: true,
      cell: ({ firstAt }) => (firstAt ? formatTime(firstAt) : '–'),
    },
    {
      id: 'last',
      header: t('activity.lastAt'),
      numeric: true,
      cell: ({ lastAt }) => (lastAt ? formatTime(lastAt) : '–'),
    },
    {
      id: 'messages',
      header: t('activity.messages'),
      numeric: true,
      narrow: 'end',
      cell: (row) => (
        <chakra.div textAlign="end">
          {worked(row, row.messages)}
          <NarrowLabel>{t('activity.messages')}</NarrowLabel>
        </chakra.div>
      ),
    },
    {
      id: 'acts',
      header: t('activity.acts'),
      numeric: true,
      cell: (row) => worked(row, row.acts),
    },
  ];
  return (
    <>
      <chakra.div display="flex" justifyContent="flex-end" flexShrink="0">
        <FileButtons name={t('files.activity')} fetchFile={(kind) => fetchActivity(search, kind)} />
      </chakra.div>
      <DataTable
        label={t('tabs.activity')}
        columns={columns}
        rows={rows}
        query={list}
        grows
        onRowClick={({ date, userId }) => void navigate(pathOf(date, { userId: String(userId) }))}
        empty={
          <EmptyState
            icon={<UserRoundCheck size={20} />}
            title={t('activity.empty')}
            text={t('activity.emptyText')}
          />
        }
      />
    </>
  );
}
