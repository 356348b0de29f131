import { chakra } from '@chakra-ui/react';
import { Paperclip, Zap } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { FileName, RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { Switch } from '@/components/Toggle';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { quickMessagePagesQuery, useDeleteQuickMessage, useSaveQuickMessage } from './api';
import { useQuickMessageEvents } from './events';
import { mayChange } from './rules';
import type { QuickMessage } from './types';

const QuickMessageDialog = lazy(() =>
  import('./QuickMessageDialog').then((module) => ({ default: module.QuickMessageDialog })),
);

/** The quick messages page: the user's own and the company's shared ones, in one table. */
export function QuickMessagesTable() {
  const { t } = useTranslation(['quickMessages', 'common']);
  const me = useCurrentUser();
  const records = useRecords(quickMessagePagesQuery);
  useAddRequest(records.add);
  const save = useSaveQuickMessage();
  const remove = useDeleteQuickMessage();
  useQuickMessageEvents();

  const switchedId = save.isPending ? save.variables.id : undefined;
  const isOn = (row: QuickMessage) =>
    row.id === switchedId ? save.variables?.fields.status === true : row.status;

  const columns: Column<QuickMessage>[] = [
    {
      id: 'shortcode',
      header: t('columns.shortcode'),
      primary: true,
      cell: ({ shortcode }) => <RowName>/{shortcode}</RowName>,
    },
    {
      id: 'message',
      header: t('columns.message'),
      narrow: 'line',
      width: '45%',
      cell: ({ message }) => (
        // A single line is enough to recognise the quick message; the dialog shows the whole text.
        <chakra.span color="fg.muted" lineClamp="1" whiteSpace="normal" wordBreak="break-all">
          {message || '–'}
        </chakra.span>
      ),
    },
    {
      id: 'media',
      header: t('columns.media'),
      cell: ({ mediaName }) => (
        <FileName icon={<Paperclip size={16} aria-hidden />} name={mediaName} />
      ),
    },
    {
      id: 'visibility',
      header: t('columns.visibility'),
      cell: ({ geral }) => (
        <Badge tone={geral ? 'soft' : 'neutral'}>{geral ? t('shared') : t('private')}</Badge>
      ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'end',
      cell: (row) => (
        <chakra.span
          display="inline-flex"
          onClick={(event) => event.stopPropagation()}
          onKeyDown={(event) => event.stopPropagation()}
        >
          <Switch
            aria-label={t('switch', { name: row.shortcode })}
            checked={isOn(row)}
            disabled={!mayChange(row, me)}
            onChange={(status) =>
              save.mutate({ id: row.id, fields: { status } }, { onError: toast.error })
            }
          />
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
          icon: <Zap size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={(row) =>
          mayChange(row, me) && {
            name: `/${row.shortcode}`,
            edit: t('editOne', { name: row.shortcode }),
            remove: t('deleteOne', { name: row.shortcode }),
          }
        }
      />
      <RecordDialogs
        records={records}
        form={(row) => <QuickMessageDialog stored={row} onClose={records.close} />}
        remove={remove}
        deletion={({ shortcode, geral }) => ({
          title: t('delete.title', { name: shortcode }),
          text: geral ? t('delete.shared') : t('delete.private'),
          done: t('deleted'),
        })}
      />
    </Page>
  );
}
