import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ListEnd, type Pages } from './ListEnd';
import { ErrorState, EmptyState, Skeleton } from './States';

export interface Column<Row> {
  id: string;
  header: ReactNode;
  /** The name of a number in a narrow row, if the header is too long for it. */
  brief?: string;
  /** `null` for none: a dash, and on narrow screens nothing. */
  cell: (row: Row) => ReactNode;
  /** Right-aligned, with digits of equal width. */
  numeric?: boolean;
  width?: string;
  /** The column that is a row's heading on narrow screens; by default the first. */
  primary?: boolean;
  /** A picture before the heading, on narrow screens beside both lines. */
  picture?: (row: Row) => ReactNode;
  /**
   * The place of the column on narrow screens: up to two columns in the line under the heading, one
   * before the actions. Other columns are visible only after the row is opened.
   */
  narrow?: 'line' | 'end';
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  onRowClick?: (row: Row) => void;
  /** Buttons at the end of a row. Their clicks do not open the row. */
  actions?: (row: Row) => ReactNode;
  /** The header of the actions; by default only screen readers announce one. */
  actionsHeader?: string;
  /** Rows with a red background. */
  isAlarming?: (row: Row) => boolean;
  /** The row that is open elsewhere on the page. */
  isCurrent?: (row: Row) => boolean;
  /** As high as its rows; the surrounding element scrolls. */
  grows?: boolean;
  /** Part of a panel, which already has a border. */
  isPart?: boolean;
  /** The query of the rows. */
  query: RowsQuery;
  empty?: ReactNode;
}

interface RowsQuery extends Pages {
  error: unknown;
  refetch: () => Promise<unknown>;
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

const oneLine = {
  display: 'block',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const;

/** Below 900 px a row shows a picture, two lines, the column at the end, and the actions. */
const twoLines = {
  '@media (max-width: 899px)': {
    '&, & tbody': { display: 'block' },
    '& thead, & td': { display: 'none' },
    '& tr': {
      display: 'grid',
      gridTemplateColumns: 'auto fit-content(62%) minmax(0, 1fr) auto auto',
      alignItems: 'center',
      alignContent: 'center',
      minH: '16',
      px: '4',
      py: '2',
      borderTopWidth: '1px',
    },
    '& tbody tr:first-of-type': { borderTopWidth: '0' },
    '& td': { h: 'auto', p: '0', borderTopWidth: '0' },
    '& td[data-primary], & [data-heading]': { display: 'contents' },
    '& [data-picture]': { display: 'block', gridColumn: '1', gridRow: '1 / span 2', me: '3' },
    '& [data-name]': {
      ...oneLine,
      gridColumn: '2 / 4',
      gridRow: '1',
      textStyle: 'md',
      fontWeight: 'medium',
    },
    '& td[data-line]': { ...oneLine, gridRow: '2', color: 'fg.muted', textAlign: 'start' },
    '& td[data-line="only"]': { gridColumn: '2 / 4' },
    '& td[data-line="1"]': { gridColumn: '2', pe: '2' },
    '& td[data-line="2"]': { gridColumn: '3' },
    '& td[data-line][data-numeric]::before': { content: 'attr(data-label) ": "' },
    '& td[data-end]': { display: 'flex', gridColumn: '4', gridRow: '1 / span 2', ps: '2' },
    '& td[data-actions]': { display: 'flex', gridColumn: '5', gridRow: '1 / span 2', me: '-3' },
    '& td[data-skeleton]': { display: 'block', gridColumn: '1 / -1' },
  },
} as const;

/** A panel clips overflow, so headers wrap and columns are closer together. */
const inPanel = {
  '& th': { whiteSpace: 'normal' },
  '& td[data-numeric]': { whiteSpace: 'nowrap' },
  '@media (min-width: 900px)': { '& :is(th, td):not(:first-of-type)': { ps: '2' } },
} as const;

const numericStyle = { textAlign: 'end', fontVariantNumeric: 'tabular-nums' } as const;

/**
 * A table with its four states; rows have two lines on narrow screens. Fills its parent's height,
 * unless `grows`.
 */
export function DataTable<Row extends { id: number | string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, onRowClick, actions, query, grows = false, isPart = false } = props;
  const { error, isFetchingNextPage = false } = query;
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
      // Clipped, because a sticky head sticks to the scroll container: the table, or else the
      // element around it.
      {...(grows ? { overflow: 'clip' } : { flex: '1', minH: '0', overflow: 'auto' })}
      bg="bg.surface"
      {...(!isPart && { borderWidth: '1px', borderRadius: 'md' })}
      aria-busy={!rows}
      // A table without focusable content must be focusable itself, so that keys can scroll it.
      {...(!grows &&
        !onRowClick &&
        !actions && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <chakra.table
        aria-label={label}
        w="full"
        borderCollapse="separate"
        borderSpacing="0"
        css={isPart ? { ...inPanel, ...twoLines } : twoLines}
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
                {props.actionsHeader ?? <chakra.span srOnly>{t('actionsColumn')}</chakra.span>}
              </HeaderCell>
            )}
          </tr>
        </chakra.thead>
        <tbody>
          {rows?.map((row) => (
            <chakra.tr
              key={row.id}
              {...(props.isAlarming?.(row) && { bg: 'status.danger.subtle' })}
              {...clickable(row)}
              {...(props.isCurrent?.(row) && { bg: 'brand.subtle', 'aria-current': 'true' })}
            >
              {columns.map((column, index) => {
                const content = column.cell(row);
                return (
                  <Cell
                    key={column.id}
                    {...(content !== null && narrowPlace(columns, index))}
                    data-label={
                      column.brief ??
                      (typeof column.header === 'string' ? column.header : undefined)
                    }
                    {...(column.numeric && numericStyle)}
                  >
                    {isPrimary(columns, index) ? (
                      <chakra.div data-heading display="flex" alignItems="center" gap="3">
                        {column.picture && (
                          // Not a box of its own: a picture for narrow screens only leaves no gap.
                          <chakra.div data-picture display="contents">
                            {column.picture(row)}
                          </chakra.div>
                        )}
                        <chakra.div data-name minW="0">
                          {content}
                        </chakra.div>
                      </chakra.div>
                    ) : content === null ? (
                      '–'
                    ) : (
                      content
                    )}
                  </Cell>
                );
              })}
              {actions && (
                <Cell data-actions onClick={(event) => event.stopPropagation()} cursor="default">
                  <chakra.div
                    display="flex"
                    alignItems="center"
                    gap="1"
                    justifyContent="flex-end"
                    ms="auto"
                  >
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
      {rows && !isFetchingNextPage && <ListEnd pages={query} />}
    </chakra.div>
  );
}

function isPrimary<Row>(columns: readonly Column<Row>[], index: number): boolean {
  const chosen = columns.findIndex((column) => column.primary);
  return index === Math.max(chosen, 0);
}

/** The attribute by which the CSS of narrow rows finds a cell. */
function narrowPlace<Row>(columns: readonly Column<Row>[], index: number) {
  const column = columns[index];
  const lines = columns.filter(({ narrow }) => narrow === 'line');
  const line = column && lines.indexOf(column);
  return {
    'data-primary': isPrimary(columns, index) || undefined,
    'data-line': line === undefined || line < 0 ? undefined : lines.length > 1 ? line + 1 : 'only',
    'data-end': column?.narrow === 'end' || undefined,
    'data-numeric': column?.numeric ?? undefined,
  };
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
        <Cell key={column} data-skeleton={column === 0 || undefined}>
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
