import { chakra } from '@chakra-ui/react';
import type { ReactNode, UIEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState, EmptyState, Skeleton } from './States';

/** Distance from the bottom, in px, at which the next page is asked for (rules/screens §2). */
const NEXT_PAGE_PX = 100;

/** A scroll handler that asks for the next page near the bottom. */
export function onScrollNearEnd(load: () => void) {
  return (event: UIEvent<HTMLElement>) => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
    if (scrollHeight - scrollTop - clientHeight < NEXT_PAGE_PX) load();
  };
}

export interface Column<Row> {
  id: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, with digits of one width. */
  numeric?: boolean;
  width?: string;
  /** The card's heading on narrow screens; one column, the first when none says so. */
  primary?: boolean;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  onRowClick?: (row: Row) => void;
  /** Buttons at the end of a row. Their clicks do not open the row. */
  actions?: (row: Row) => ReactNode;
  /** Where the rows come from; an infinite query is asked for its next page near the bottom. */
  query: RowsQuery;
  empty?: ReactNode;
}

interface RowsQuery {
  error: unknown;
  refetch: () => Promise<unknown>;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  fetchNextPage?: () => Promise<unknown>;
}

const Cell = chakra('td', {
  base: {
    h: '11',
    px: '4',
    py: '2',
    textStyle: 'sm',
    borderTopWidth: '1px',
    verticalAlign: 'middle',
    overflowWrap: 'anywhere',
  },
});

const HeaderCell = chakra('th', {
  base: {
    h: '9',
    px: '4',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    textAlign: 'start',
    whiteSpace: 'nowrap',
    bg: 'bg.surface',
  },
});

const numericStyle = { textAlign: 'end', fontVariantNumeric: 'tabular-nums' } as const;

/** A table with its four states; a list of cards on narrow screens. Fills its parent's height. */
export function DataTable<Row extends { id: number }>(props: DataTableProps<Row>) {
  const { label, columns, rows, onRowClick, actions, query } = props;
  const { error, hasNextPage = false, isFetchingNextPage = false } = query;
  const { t } = useTranslation();

  if (error && !rows) return <ErrorState error={error} onRetry={() => void query.refetch()} />;
  if (rows?.length === 0) return <>{props.empty ?? <EmptyState />}</>;

  const openByKey = (row: Row) => (event: React.KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) onRowClick?.(row);
  };
  const clickable = (row: Row) =>
    onRowClick && {
      tabIndex: 0,
      cursor: 'pointer',
      onClick: () => onRowClick(row),
      onKeyDown: openByKey(row),
      _hover: { bg: 'bg.hover' },
      _focusVisible: {
        outline: '2px solid',
        outlineColor: 'brand.fg',
        outlineOffset: '-2px',
      },
    };

  return (
    <chakra.div
      flex="1"
      minH="0"
      overflow="auto"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      aria-busy={!rows}
      onScroll={onScrollNearEnd(() => {
        if (hasNextPage && !isFetchingNextPage) void query.fetchNextPage?.();
      })}
    >
      <chakra.table
        aria-label={label}
        w="full"
        borderCollapse="separate"
        borderSpacing="0"
        // Below 600 px rows turn into cards; each cell says its column's name.
        css={{
          '@media (max-width: 600px)': {
            '&, & tbody': { display: 'block' },
            '& thead': { display: 'none' },
            '& tr': { display: 'block', borderTopWidth: '1px', py: '2' },
            '& tbody tr:first-of-type': { borderTopWidth: '0' },
            '& td': {
              display: 'flex',
              h: 'auto',
              borderTopWidth: '0',
              py: '1',
              gap: '3',
              justifyContent: 'space-between',
            },
            '& td[data-primary]': { fontWeight: 'semibold', textStyle: 'md' },
            '& td[data-label]:not([data-primary])::before': {
              content: 'attr(data-label)',
              color: 'fg.muted',
              flexShrink: 0,
            },
          },
        }}
      >
        <chakra.thead position="sticky" top="0" zIndex="docked">
          <tr>
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                scope="col"
                {...(column.numeric && numericStyle)}
                {...(column.width && { w: column.width })}
              >
                {column.header}
              </HeaderCell>
            ))}
            {actions && (
              <HeaderCell scope="col" textAlign="end" w="1px">
                <chakra.span srOnly>{t('actionsColumn')}</chakra.span>
              </HeaderCell>
            )}
          </tr>
        </chakra.thead>
        <tbody>
          {rows?.map((row) => (
            <chakra.tr key={row.id} {...clickable(row)}>
              {columns.map((column, index) => (
                <Cell
                  key={column.id}
                  data-label={typeof column.header === 'string' ? column.header : undefined}
                  data-primary={isPrimary(columns, index) || undefined}
                  {...(column.numeric && numericStyle)}
                >
                  {column.cell(row)}
                </Cell>
              ))}
              {actions && (
                <Cell onClick={(event) => event.stopPropagation()} cursor="default">
                  <chakra.div display="flex" gap="1" justifyContent="flex-end" ms="auto">
                    {actions(row)}
                  </chakra.div>
                </Cell>
              )}
            </chakra.tr>
          ))}
          {(!rows || isFetchingNextPage) && (
            <SkeletonTableRows
              columns={columns.length + (actions ? 1 : 0)}
              rows={rows ? 2 : 8}
              label={rows ? t('loadingMore') : t('loading')}
            />
          )}
        </tbody>
      </chakra.table>
    </chakra.div>
  );
}

function isPrimary<Row>(columns: readonly Column<Row>[], index: number): boolean {
  const chosen = columns.findIndex((column) => column.primary);
  return index === Math.max(chosen, 0);
}

function SkeletonTableRows({
  columns,
  rows,
  label,
}: {
  columns: number;
  rows: number;
  label: string;
}) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={`skeleton-${row}`}>
      {Array.from({ length: columns }, (_, column) => (
        <Cell key={column}>
          {row === 0 && column === 0 && (
            <chakra.span srOnly role="status">
              {label}
            </chakra.span>
          )}
          <Skeleton
            display="block"
            h="3"
            style={{ width: `${45 + (((row + 1) * (column + 3) * 13) % 45)}%` }}
          />
        </Cell>
      ))}
    </tr>
  ));
}
