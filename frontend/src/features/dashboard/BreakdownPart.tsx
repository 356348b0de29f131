import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Layers } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import { Button } from '@/components/Button';
import { DataTable, type Column } from '@/components/DataTable';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { Tabs } from '@/components/Tabs';
import { TextButton } from '@/components/TextButton';
import { formatCount, formatDateTime } from '@/lib/format';
import { tagsQuery } from './api';
import type { Asked } from './filters';
import { Minutes, minutesText } from './minutes';
import { Panel } from '@/components/Panel';
import { Stars } from './Stars';
import type { Breakdown, Group } from './types';

interface Source {
  error: unknown;
  refetch: () => Promise<unknown>;
}

interface BreakdownProps {
  breakdown: Breakdown | undefined;
  query: Source;
  asked: Asked;
  /** Nothing is fetched before this is true. */
  isDue: boolean;
  onOpenTicket: (uuid: string) => void;
  onOpenConversations?: (narrow: Record<string, string>) => void;
}

/** The breakdown: waiting tickets, first response times, ratings, and where tickets come from. */
export function BreakdownPart(props: BreakdownProps) {
  const { breakdown, query, onOpenTicket, ...rest } = props;
  // An error is reported once, with a retry button.
  if (!breakdown && query.error)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <chakra.div
        display="grid"
        flexShrink="0"
        gap="3"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' }}
      >
        <Waiting breakdown={breakdown} onOpenTicket={onOpenTicket} />
        <FirstResponse breakdown={breakdown} />
        <Ratings breakdown={breakdown} {...rest} />
      </chakra.div>
      <Groups breakdown={breakdown} query={query} {...rest} />
    </>
  );
}

const Figure = chakra('p', {
  base: { textStyle: 'xl', fontWeight: 'semibold', fontVariantNumeric: 'tabular-nums' },
});

const Body = chakra('div', {
  base: { px: '4', pb: '4', display: 'flex', flexDirection: 'column', gap: '2' },
});

function Waiting({ breakdown, onOpenTicket }: Pick<BreakdownProps, 'breakdown' | 'onOpenTicket'>) {
  const { t } = useTranslation('dashboard');
  const oldest = breakdown?.waiting.oldest;
  return (
    <Panel title={t('waiting.title')}>
      <Body>
        {!breakdown ? (
          <Skeleton display="block" w="14" h="6" />
        ) : (
          <>
            <Figure>{formatCount(breakdown.waiting.count)}</Figure>
            {oldest ? (
              <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="2">
                <chakra.p flex="1 1 160px" minW="0" textStyle="sm" color="fg.muted">
                  <chakra.span color="fg.default" fontWeight="medium" overflowWrap="anywhere">
                    {oldest.contactName}
                  </chakra.span>{' '}
                  <chakra.span fontVariantNumeric="tabular-nums">
                    {t('waiting.since', { at: formatDateTime(oldest.since) })}
                  </chakra.span>
                </chakra.p>
                <Button variant="outline" size="sm" onClick={() => onOpenTicket(oldest.uuid)}>
                  {t('waiting.open')}
                </Button>
              </chakra.div>
            ) : (
              <chakra.p textStyle="sm" color="fg.muted">
                {t('waiting.nobody')}
              </chakra.p>
            )}
          </>
        )}
      </Body>
    </Panel>
  );
}

function FirstResponse({ breakdown }: Pick<BreakdownProps, 'breakdown'>) {
  const { t } = useTranslation('dashboard');
  const count = breakdown?.firstResponse.count ?? 0;
  return (
    <Panel title={t('firstResponse.title')}>
      <Body>
        {!breakdown ? (
          <Skeleton display="block" w="14" h="6" />
        ) : (
          <>
            <Figure>
              {count ? t('minutes', { value: minutesText(breakdown.firstResponse.average) }) : '–'}
            </Figure>
            <chakra.p textStyle="sm" color="fg.muted">
              {count
                ? t('firstResponse.of', { count, shown: formatCount(count) })
                : t('firstResponse.none')}
            </chakra.p>
          </>
        )}
      </Body>
    </Panel>
  );
}

function Ratings({
  breakdown,
  onOpenConversations,
}: Pick<BreakdownProps, 'breakdown' | 'onOpenConversations'>) {
  const { t } = useTranslation('dashboard');
  const ratings = breakdown?.ratings ?? [];
  const total = ratings.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel
      title={t('ratings.title')}
      aside={total > 0 && t('ratings.count', { count: total, shown: formatCount(total) })}
    >
      <Body>
        {!breakdown ? (
          <Skeleton display="block" w="full" h="16" />
        ) : (
          <chakra.ul
            listStyleType="none"
            m="0"
            p="0"
            display="flex"
            flexDirection="column"
            gap="1.5"
          >
            {[...ratings].reverse().map(({ rate, count }) => (
              <chakra.li key={rate} display="flex" alignItems="center" gap="3">
                <Stars rating={rate} />
                <chakra.span
                  flex="1"
                  h="2"
                  borderRadius="full"
                  bg="bg.subtle"
                  overflow="hidden"
                  aria-hidden
                >
                  <chakra.span
                    display="block"
                    h="full"
                    borderRadius="full"
                    bg="status.waiting.solid"
                    style={{ width: `${total ? (count / total) * 100 : 0}%` }}
                  />
                </chakra.span>
                <chakra.span
                  minW="10"
                  textAlign="end"
                  textStyle="sm"
                  fontVariantNumeric="tabular-nums"
                >
                  {onOpenConversations && count > 0 ? (
                    <TextButton onClick={() => onOpenConversations({ rating: String(rate) })}>
                      {formatCount(count)}
                    </TextButton>
                  ) : (
                    formatCount(count)
                  )}
                </chakra.span>
              </chakra.li>
            ))}
          </chakra.ul>
        )}
      </Body>
    </Panel>
  );
}

const KINDS = ['queues', 'connections', 'tags'] as const;
type Kind = (typeof KINDS)[number];

/** The id of the row for tickets without a group, because table rows need one. */
const NONE = 'none';
type Row = Omit<Group, 'id'> & { id: number | typeof NONE; waiting?: number };

const rowsOf = (groups: readonly Group[] | undefined): Row[] | undefined =>
  groups?.map((group) => ({ ...group, id: group.id ?? NONE }));

/** The filter of the report's list for each kind of group. */
const FILTERS = { queues: 'queueId', connections: 'connectionId', tags: 'tagId' } as const;

function Groups(props: Omit<BreakdownProps, 'onOpenTicket'>) {
  const { breakdown, query, asked, isDue, onOpenConversations } = props;
  const { t } = useTranslation('dashboard');
  const [kind, setKind] = useState<Kind>('queues');
  const behind = onOpenConversations
    ? {
        onOpen: ({ id }: Row) =>
          onOpenConversations({ [FILTERS[kind]]: id === NONE ? '0' : String(id) }),
      }
    : {};
  return (
    <Panel title={t('groups.title')}>
      <Tabs
        aria-label={t('groups.title')}
        value={kind}
        onChange={setKind}
        inset="4"
        tabs={KINDS.map((value) => ({ value, label: t(`groups.${value}`) }))}
      />
      {kind === 'tags' ? (
        <TagTable asked={asked} isDue={isDue} {...behind} />
      ) : (
        <GroupTable key={kind} kind={kind} groups={breakdown?.[kind]} query={query} {...behind} />
      )}
    </Panel>
  );
}

/** Fetches the tags only while shown: they cost as much as all the rest. */
function TagTable({
  asked,
  isDue,
  ...behind
}: Pick<BreakdownProps, 'asked' | 'isDue'> & Pick<GroupTableProps, 'onOpen'>) {
  const tags = useQuery({ ...tagsQuery(asked), enabled: isDue });
  return <GroupTable kind="tags" groups={tags.data} query={tags} {...behind} />;
}

interface GroupTableProps {
  kind: Kind;
  groups: readonly Group[] | undefined;
  query: Source;
  onOpen?: (row: Row) => void;
}

function GroupTable({ kind, groups, query, onOpen }: GroupTableProps) {
  const { t } = useTranslation('dashboard');
  const minutes = (id: 'avgSupportTime' | 'avgWaitTime' | 'avgFirstResponseTime') =>
    ({
      id,
      header: t(`groups.${id}`),
      numeric: true,
      ...(id === 'avgSupportTime' && { narrow: 'line' as const, brief: t('average') }),
      cell: (row: Row) => <Minutes value={row[id]} />,
    }) satisfies Column<Row>;
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: t('groups.name'),
      primary: true,
      cell: (row) => <GroupName row={row} kind={kind} />,
    },
    ...(kind === 'queues'
      ? [
          {
            id: 'waiting',
            header: t('groups.waiting'),
            numeric: true,
            cell: ({ waiting }: Row) => formatCount(waiting ?? 0),
          } satisfies Column<Row>,
        ]
      : []),
    {
      id: 'tickets',
      header: t('groups.tickets'),
      numeric: true,
      narrow: 'line',
      cell: ({ tickets }) => formatCount(tickets),
    },
    {
      id: 'finished',
      header: t('groups.finished'),
      numeric: true,
      cell: ({ finished }) => formatCount(finished),
    },
    minutes('avgSupportTime'),
    minutes('avgWaitTime'),
    minutes('avgFirstResponseTime'),
  ];
  return (
    <DataTable
      label={t(`groups.${kind}`)}
      columns={columns}
      rows={rowsOf(groups)}
      query={query}
      grows
      isPart
      {...(onOpen && { onRowClick: onOpen })}
      empty={<EmptyState icon={<Layers size={20} />} title={t(`groups.empty.${kind}`)} />}
    />
  );
}

function GroupName({ row, kind }: { row: Row; kind: Kind }) {
  const { t } = useTranslation('dashboard');
  if (row.id === NONE)
    return (
      <chakra.span color="fg.muted">
        {t(kind === 'queues' ? 'groups.noQueue' : 'groups.noConnection')}
      </chakra.span>
    );
  if (kind === 'connections') return <chakra.span fontWeight="medium">{row.name}</chakra.span>;
  return (
    <Chip colour={row.color} shape={kind === 'queues' ? 'queue' : 'tag'} plain>
      <chakra.span
        textStyle="sm"
        fontWeight="medium"
        color="fg.default"
        whiteSpace={{ base: 'nowrap', md: 'normal' }}
      >
        {row.name}
      </chakra.span>
    </Chip>
  );
}
