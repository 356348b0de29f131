import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { useAddRequest } from '@/lib/useAddRequest';
import { fileListPagesQuery, useDeleteFileList } from './api';
import { useFileListEvents } from './events';
import type { FileList } from './types';

const FileListDialog = lazy(() =>
  import('./FileListDialog').then((module) => ({ default: module.FileListDialog })),
);

type Open =
  { dialog: 'add' } | { dialog: 'edit'; row: FileList } | { dialog: 'delete'; row: FileList };

/** The page of file lists (rules/library §5). */
export function FileListsTable() {
  const { t } = useTranslation(['fileLists', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  useAddRequest(() => setOpen({ dialog: 'add' }));
  const list = useInfiniteQuery({
    ...fileListPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  const remove = useDeleteFileList();
  useFileListEvents();
  const close = () => setOpen(null);

  const columns: Column<FileList>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => (
        <chakra.span fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ),
    },
    {
      id: 'message',
      header: t('columns.message'),
      narrow: 'line',
      width: '50%',
      cell: ({ message }) => (
        <chakra.span color="fg.muted" lineClamp="1" whiteSpace="normal" wordBreak="break-all">
          {message}
        </chakra.span>
      ),
    },
    {
      id: 'files',
      header: t('columns.files'),
      narrow: 'end',
      cell: ({ options }) => (
        <chakra.span fontVariantNumeric="tabular-nums">
          {t('count', { count: options.length })}
        </chakra.span>
      ),
    },
  ];

  const add = <AddButton label={t('add')} onClick={() => setOpen({ dialog: 'add' })} />;

  return (
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.rows}
        query={list}
        onRowClick={(row) => setOpen({ dialog: 'edit', row })}
        empty={
          <EmptyState
            icon={<Files size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            editLabel={t('editOne', { name: row.name })}
            onEdit={() => setOpen({ dialog: 'edit', row })}
            deleteLabel={t('deleteOne', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <FileListDialog onClose={close} />}
        {open?.dialog === 'edit' && <FileListDialog stored={open.row} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.name })}
          id={open.row.id}
          remove={remove}
          done={t('deleted')}
          onClose={close}
        >
          {t('delete.text', { count: open.row.options.length })}
        </ConfirmDelete>
      )}
    </Page>
  );
}
