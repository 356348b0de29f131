import type { UseMutationResult } from '@tanstack/react-query';
import { Fragment, Suspense, type ReactNode } from 'react';
import type { RecordDialogsState } from '@/lib/useRecords';
import { ConfirmDelete } from './ConfirmDelete';
import { DataTable, type DataTableProps } from './DataTable';
import { RowActions, type RowAction } from './RowActions';
import { EmptyState } from './States';

interface RowWords {
  name: string;
  /** The label of the edit button, with the row's name in it; false without the button. */
  edit: string | false;
  /** The label of the delete button; false without the button. */
  remove: string | false;
  /** Further actions, before the edit button. */
  more?: readonly RowAction[];
}

interface EmptyWords {
  icon: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** The title if a search finds nothing, shown with the icon only. */
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
    /** Omitted if no row has a delete button. */
    remove?: (row: Row) => void;
  };
  empty: EmptyWords;
  /** The actions at the end of a row; false for none. */
  actions: (row: Row) => RowWords | false;
  /** The action of a click on a row, false for none; by default the row is edited. */
  onOpen?: ((row: Row) => void) | false;
}

/** The table of a list page: rows to open, edit and delete, or the reason why there are none. */
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
  /** The form that edits a row, or creates one. */
  form: (row: Row | undefined) => ReactNode;
  remove: Pick<UseMutationResult<unknown, Error, number>, 'isPending' | 'mutate'>;
  /** The question that names the row, the consequences, and the toast after the deletion. */
  deletion: (row: Row) => { title: string; text: ReactNode; done: string } | undefined;
}

/** The form of a list page, and the confirmation before a row is deleted. */
export function RecordDialogs<Row extends { id: number }>(props: RecordDialogsProps<Row>) {
  const { open } = props.records;
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      {open.dialog === 'delete' ? (
        <Deletion {...props} row={open.row} />
      ) : (
        <Fragment key={open.row?.id ?? 'new'}>{props.form(open.row)}</Fragment>
      )}
    </Suspense>
  );
}

function Deletion<Row extends { id: number }>(props: RecordDialogsProps<Row> & { row: Row }) {
  const { row, records, remove } = props;
  const words = props.deletion(row);
  return (
    words && (
      <ConfirmDelete
        title={words.title}
        id={row.id}
        remove={remove}
        done={words.done}
        onClose={records.close}
      >
        {words.text}
      </ConfirmDelete>
    )
  );
}
