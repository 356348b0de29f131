import type { UseMutationResult } from '@tanstack/react-query';
import { Fragment, Suspense, type ReactNode } from 'react';
import type { RecordDialogsState } from '@/lib/useRecords';
import { ConfirmDelete } from './ConfirmDelete';
import { DataTable, type DataTableProps } from './DataTable';
import { RowActions, type RowAction } from './RowActions';
import { EmptyState } from './States';

interface RowWords {
  name: string;
  /** What the pencil does, with the row's name in it; false without a pencil. */
  edit: string | false;
  /** What the bin does; false without a bin. */
  remove: string | false;
  /** What else can be done, before the pencil. */
  more?: readonly RowAction[];
}

interface EmptyWords {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** The title where a search finds nothing; the icon alone stands with it. */
  search?: string;
}

type TableProps<Row> = Pick<
  DataTableProps<Row>,
  'label' | 'columns' | 'isAlarming' | 'isCurrent' | 'grows'
>;

interface RecordTableProps<Row> extends TableProps<Row> {
  records: Pick<DataTableProps<Row>, 'rows' | 'query'> & {
    search?: string;
    edit: (row: Row) => void;
    /** Left out where no row has a bin. */
    remove?: (row: Row) => void;
  };
  empty: EmptyWords;
  /** What stands at the end of a row; false for nothing. */
  actions: (row: Row) => RowWords | false;
  /** What a click on a row does, false for nothing; without it the row is edited. */
  onOpen?: ((row: Row) => void) | false;
}

/** The table of a list page: rows that are opened, edited and deleted, or why there are none. */
export function RecordTable<Row extends { id: number }>(props: RecordTableProps<Row>) {
  const { records, empty, actions, onOpen = records.edit, ...table } = props;
  const { icon, title, text, action } = empty;
  return (
    <DataTable
      {...table}
      rows={records.rows}
      query={records.query}
      {...(onOpen && { onRowClick: onOpen })}
      empty={
        records.search ? (
          <EmptyState icon={icon} title={empty.search} />
        ) : (
          <EmptyState icon={icon} title={title} text={text} action={action} />
        )
      }
      actions={(row) => {
        const words = actions(row);
        return (
          words && (
            <RowActions
              name={words.name}
              more={words.more ?? []}
              editLabel={words.edit || ''}
              onEdit={words.edit !== false && (() => records.edit(row))}
              deleteLabel={words.remove || ''}
              onDelete={words.remove !== false && (() => records.remove?.(row))}
            />
          )
        );
      }}
    />
  );
}

interface RecordDialogsProps<Row> {
  records: Pick<RecordDialogsState<Row>, 'open' | 'close'>;
  /** The form of a row, or of a new one. */
  form: (row: Row | undefined) => ReactNode;
  remove: Pick<UseMutationResult<unknown, Error, number>, 'isPending' | 'mutate'>;
  /** A question that names the row, what goes with it, and what is said when it is gone. */
  deletion: (row: Row) => { title: string; text: ReactNode; done: string } | undefined;
}

/** The form of a list page, and the question before a row is deleted. */
export function RecordDialogs<Row extends { id: number }>(props: RecordDialogsProps<Row>) {
  const { open, close } = props.records;
  if (!open) return null;
  if (open.dialog !== 'delete')
    return (
      <Suspense fallback={null}>
        <Fragment key={open.row?.id ?? 'new'}>{props.form(open.row)}</Fragment>
      </Suspense>
    );
  const words = props.deletion(open.row);
  return (
    words && (
      <ConfirmDelete
        title={words.title}
        id={open.row.id}
        remove={props.remove}
        done={words.done}
        onClose={close}
      >
        {words.text}
      </ConfirmDelete>
    )
  );
}
