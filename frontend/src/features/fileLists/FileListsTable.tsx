import { chakra } from '@chakra-ui/react';
import { Files } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { fileListPagesQuery, useDeleteFileList } from './api';
import { useFileListEvents } from './events';
import type { FileList } from './types';

const FileListDialog = lazy(() =>
  import('./FileListDialog').then((module) => ({ default: module.FileListDialog })),
);

/** The page of file lists (rules/library §5). */
export function FileListsTable() {
  const { t } = useTranslation(['fileLists', 'common']);
  const records = useRecords(fileListPagesQuery);
  useAddRequest(records.add);
  const remove = useDeleteFileList();
  useFileListEvents();

  const columns: Column<FileList>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <RowName>{name}</RowName>,
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

  const add = <AddButton label={t('add')} onClick={records.add} />;
  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Files size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={({ name }) => ({
          name,
          edit: t('editOne', { name }),
          remove: t('deleteOne', { name }),
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <FileListDialog stored={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name, options }) => ({
          title: t('delete.title', { name }),
          text: t('delete.text', { count: options.length }),
          done: t('deleted'),
        })}
      />
    </Page>
  );
}
