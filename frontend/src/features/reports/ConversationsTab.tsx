import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MessagesSquare, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { DataTable, type Column } from '@/components/DataTable';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { userOptionsQuery } from '@/features/users/api';
import { formatCount, formatDateTime, formatPhone } from '@/lib/format';
import { money } from '@/lib/money';
import { may } from '@/lib/permissions';
import { useSpan } from '@/lib/useSpan';
import { useCurrentUser } from '@/stores/session';
import { conversationsQuery, fetchConversations } from './api';
import { FileButtons } from './FileButtons';
import { RATINGS, STATES, type Search } from './search';
import type { Conversation } from './types';
import { useWeekday } from './useWeekday';

const TONES = { open: 'live', waiting: 'waiting', resolved: 'neutral' } as const;

/** Closer columns; in a window too narrow for all of them the table scrolls sideways. */
const dense = {
  '& th': { whiteSpace: 'normal' },
  '@media (min-width: 900px)': { '& :is(th, td):not(:first-of-type)': { ps: '2' } },
  '@media (min-width: 900px) and (max-width: 1439px)': {
    overflowX: 'auto',
    '& > :has(table)': { minWidth: '1120px' },
  },
};

interface ConversationsTabProps {
  search: Search;
  onChange: (change: Partial<Search>) => void;
  onOpenTicket: (uuid: string) => void;
}

/** One row a conversation, the latest first; a row opens it (rules/reports §2). */
export function ConversationsTab({ search, onChange, onOpenTicket }: ConversationsTabProps) {
  const { t } = useTranslation('reports');
  const user = useCurrentUser();
  const list = useInfiniteQuery(conversationsQuery(search));
  const rows = list.data?.pages.flatMap((page) => page.conversations);
  const count = list.data?.pages[0]?.count;
  const columns = useColumns();
  return (
    <>
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="end"
        justifyContent="space-between"
        gap="3"
        flexShrink="0"
      >
        <chakra.div
          display={{ base: 'grid', md: 'flex' }}
          gridTemplateColumns="repeat(2, minmax(0, 1fr))"
          flexWrap="wrap"
          alignItems="end"
          gap="3"
          minW="0"
          w={{ base: 'full', md: 'auto' }}
        >
          <chakra.div w={{ md: '44' }}>
            <Field label={t('columns.state')}>
              <Select
                value={search.state}
                placeholder={t('filters.allStates')}
                onChange={({ target }) => onChange({ state: target.value })}
                options={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
              />
            </Field>
          </chakra.div>
          <chakra.div w={{ md: '44' }}>
            <Field label={t('columns.rating')}>
              <Select
                value={search.rating}
                placeholder={t('filters.allRatings')}
                onChange={({ target }) => onChange({ rating: target.value })}
                options={RATINGS.map((value) => ({ value, label: t(`ratings.${value}`) }))}
              />
            </Field>
          </chakra.div>
          <chakra.div
            display={{ base: 'flex', md: 'contents' }}
            gridColumn="1 / -1"
            flexWrap="wrap"
            gap="3"
            _empty={{ display: 'none' }}
          >
            <Narrowed search={search} onChange={onChange} />
          </chakra.div>
        </chakra.div>
        {may(user, 'contacts:export') && (
          <FileButtons
            name={t('files.conversations')}
            fetchFile={(kind) => fetchConversations(search, kind)}
          />
        )}
      </chakra.div>
      {typeof count === 'number' && count > 0 && (
        <chakra.p role="status" textStyle="sm" color="fg.muted" flexShrink="0">
          {t('count', { count, shown: formatCount(count) })}
        </chakra.p>
      )}
      <chakra.div css={dense}>
        <DataTable
          label={t('tabs.conversations')}
          columns={columns}
          rows={rows}
          query={list}
          grows
          onRowClick={({ uuid }) => onOpenTicket(uuid)}
          empty={
            <EmptyState
              icon={<MessagesSquare size={20} />}
              title={t('empty.title')}
              text={t('empty.text')}
            />
          }
        />
      </chakra.div>
    </>
  );
}

/** Focuses the next filter, else the one before, as this one disappears. */
function leave(chip: Element) {
  const next = chip.nextElementSibling ?? chip.previousElementSibling;
  const control = next ?? chip.parentElement?.previousElementSibling?.querySelector('select');
  if (control instanceof HTMLElement) control.focus();
}

/** What a figure has narrowed the list by; each can be taken away. */
function Narrowed({ search, onChange }: Omit<ConversationsTabProps, 'onOpenTicket'>) {
  const { t } = useTranslation('reports');
  const weekday = useWeekday();
  const users = useQuery({ ...userOptionsQuery(), enabled: search.workedBy !== '' });
  const name = users.data?.find(({ id }) => String(id) === search.workedBy)?.name ?? '…';
  const day = search.weekday && weekday(Number(search.weekday));
  const hour = search.hour && t('times.hour', { hour: search.hour });
  const chips: [string, Partial<Search>][] = [];
  if (search.band)
    chips.push([t('narrow.band', { band: t(`bands.${search.band as '1m'}`) }), { band: '' }]);
  if (day || hour) chips.push([[day, hour].filter(Boolean).join(', '), { weekday: '', hour: '' }]);
  if (search.reason) chips.push([t('narrow.reason', { reason: search.reason }), { reason: '' }]);
  if (search.withoutReason) chips.push([t('reasons.without'), { withoutReason: '' }]);
  if (search.accepted) chips.push([t('narrow.accepted'), { accepted: '' }]);
  if (search.answered) chips.push([t('narrow.answered'), { answered: '' }]);
  if (search.workedBy) chips.push([t('narrow.workedBy', { name }), { workedBy: '' }]);
  return chips.map(([label, change]) => (
    <Button
      key={label}
      variant="outline"
      icon={<X size={16} aria-hidden />}
      aria-label={t('narrow.remove', { label })}
      onClick={({ currentTarget }) => {
        leave(currentTarget);
        onChange(change);
      }}
    >
      {label}
    </Button>
  ));
}

const Quiet = chakra('span', {
  base: { display: 'block', textStyle: 'xs', color: 'fg.muted' },
});

/** Texts that wrap between words: the columns beside would leave them a letter a line. */
const Words = chakra('div', {
  base: { minW: { lg: '24' }, overflowWrap: 'break-word' },
});

function useColumns(): Column<Conversation>[] {
  const { t } = useTranslation('reports');
  const span = useSpan();
  const time = (
    id: 'waitSeconds' | 'firstAnswerSeconds' | 'resolutionSeconds',
  ): Column<Conversation> => ({
    id,
    header: t(`columns.${id}`),
    numeric: true,
    cell: (row) => <chakra.span whiteSpace="nowrap">{span(row[id])}</chakra.span>,
  });
  return [
    {
      id: 'contact',
      header: t('columns.contact'),
      primary: true,
      cell: ({ contactName, number }) => (
        <>
          <chakra.span fontWeight="medium" overflowWrap="anywhere">
            {contactName || formatPhone(number)}
          </chakra.span>
          {/* The id of a group or person says nothing beside a name. */}
          {contactName && number && !number.includes('@') && (
            <Quiet whiteSpace="nowrap">{formatPhone(number)}</Quiet>
          )}
        </>
      ),
    },
    {
      id: 'state',
      header: t('columns.state'),
      narrow: 'end',
      cell: ({ state }) => (
        <chakra.span whiteSpace="nowrap">
          <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
        </chakra.span>
      ),
    },
    {
      id: 'queuedAt',
      header: t('columns.queuedAt'),
      narrow: 'line',
      cell: ({ queuedAt }) => (
        <chakra.span overflowWrap="break-word">{formatDateTime(queuedAt)}</chakra.span>
      ),
    },
    {
      id: 'userName',
      header: t('columns.userName'),
      narrow: 'line',
      cell: ({ userName }) => (
        <chakra.span overflowWrap="break-word">{userName ?? '–'}</chakra.span>
      ),
    },
    {
      id: 'queueName',
      header: t('columns.queueName'),
      cell: ({ queueName, connectionName }) => (
        <Words>
          {queueName ?? t('filters.noQueue')}
          {connectionName && <Quiet>{connectionName}</Quiet>}
        </Words>
      ),
    },
    time('waitSeconds'),
    time('firstAnswerSeconds'),
    time('resolutionSeconds'),
    {
      id: 'answers',
      header: t('columns.answers'),
      numeric: true,
      cell: ({ received, answers }) =>
        t('columns.messages', { received: formatCount(received), answers: formatCount(answers) }),
    },
    {
      id: 'reason',
      header: t('columns.reason'),
      cell: ({ reason, tags }) => (
        <Words>
          {reason || '–'}
          {tags.length > 0 && <Quiet>{tags.join(', ')}</Quiet>}
        </Words>
      ),
    },
    {
      id: 'rating',
      header: t('columns.rating'),
      cell: ({ rating, ratingAskedAt }) =>
        rating
          ? t(`ratings.${rating as 1 | 2 | 3}`)
          : ratingAskedAt
            ? t('ratings.unanswered')
            : '–',
    },
    {
      id: 'costs',
      header: t('columns.costs'),
      numeric: true,
      cell: ({ costs }) => (
        <chakra.span whiteSpace="nowrap">
          {costs.map(({ amount, currency }) => money(amount, currency)).join(' + ') || '–'}
        </chakra.span>
      ),
    },
  ];
}
