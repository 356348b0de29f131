import {
  keepPreviousData,
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query';
import { useState } from 'react';

/** The open dialog: the form of a new record, or an action on a row. */
export type OpenRecord<Row> =
  { dialog: 'add'; row?: undefined } | { dialog: 'edit' | 'delete'; row: Row };

/** Holds which dialog of a list page is open. */
export function useRecordDialogs<Row>() {
  const [open, setOpen] = useState<OpenRecord<Row> | null>(null);
  return {
    open,
    add: () => setOpen({ dialog: 'add' }),
    edit: (row: Row) => setOpen({ dialog: 'edit', row }),
    remove: (row: Row) => setOpen({ dialog: 'delete', row }),
    /** Closes this dialog only: a call that ends late does not close the next dialog. */
    close: () => setOpen((now) => (now === open ? null : now)),
  };
}

export type RecordDialogsState<Row> = ReturnType<typeof useRecordDialogs<Row>>;

type RowOf<Data extends { rows: readonly unknown[] }> = Data['rows'][number];

/**
 * The state of a list page: the search, the rows found (kept until the rows of the next search
 * arrive), and the open dialog.
 */
export function useRecords<Page, Data extends { rows: readonly unknown[] }, Key extends QueryKey>(
  pagesQuery: (search: string) => UseInfiniteQueryOptions<Page, Error, Data, Key, number>,
) {
  const [search, setSearch] = useState('');
  const query = useInfiniteQuery({
    ...pagesQuery(search),
    placeholderData: keepPreviousData<InfiniteData<Page, number>>,
  });
  return {
    ...useRecordDialogs<RowOf<Data>>(),
    search,
    /** The props of the search field. */
    searching: { value: search, onSearch: setSearch },
    query,
    rows: query.data?.rows as Data['rows'] | undefined,
  };
}
