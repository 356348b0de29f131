import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { SquareKanban, Tags } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Chip } from '@/components/Badge';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { formatCount } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { tagPagesQuery, tagsQuery, useDeleteTag } from './api';
import { useTagEvents } from './events';
import { leastUsed } from './palette';
import { TagDialog } from './TagDialog';
import type { Tag } from './types';

/** The tags page: each tag with its colour and its number of tickets. */
export function TagsTable() {
  const { t } = useTranslation(['tags', 'common']);
  const records = useRecords(tagPagesQuery);
  useAddRequest(records.add);
  const remove = useDeleteTag();
  const all = useQuery(tagsQuery());
  useTagEvents();
  const count = records.query.data?.count ?? 0;
  const mayEdit = may(useCurrentUser(), 'contacts:edit');
  const add = mayEdit && <AddButton label={t('dialog.add')} onClick={records.add} />;

  const columns: Column<Tag>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: (tag) => (
        <chakra.span display="inline-flex" minW="0" maxW="min(420px, 100%)">
          <Chip colour={tag.color} shape="tag">
            <chakra.span title={tag.name}>{tag.name}</chakra.span>
          </Chip>
        </chakra.span>
      ),
    },
    {
      id: 'kanban',
      header: t('columns.kanban'),
      narrow: 'end',
      width: '200px',
      cell: ({ kanban }) =>
        kanban === 1 ? (
          <chakra.span display="inline-flex" alignItems="center" gap="1.5" color="fg.muted">
            <SquareKanban size={16} aria-hidden />
            {t('lane')}
          </chakra.span>
        ) : (
          <chakra.span hideBelow="md" color="fg.muted" aria-label={t('noLane')} role="img">
            –
          </chakra.span>
        ),
    },
    {
      id: 'tickets',
      header: t('columns.tickets'),
      narrow: 'line',
      numeric: true,
      width: '160px',
      cell: ({ ticketsCount }) => formatCount(ticketsCount),
    },
  ];

  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      {count > 0 && (
        <chakra.p role="status" textStyle="sm" color="fg.muted" my="-1">
          {t('count', { count, shown: formatCount(count) })}
        </chakra.p>
      )}
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Tags size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        {...(!mayEdit && { onOpen: false })}
        actions={({ name }) =>
          mayEdit && {
            name,
            edit: t('editTag', { name }),
            remove: t('deleteTag', { name }),
          }
        }
      />
      <RecordDialogs
        records={records}
        form={(tag) => (
          <TagDialog
            tag={tag}
            initialColor={leastUsed(all.data?.map(({ color }) => color) ?? [])}
            onClose={records.close}
            onSaved={records.close}
          />
        )}
        remove={remove}
        deletion={({ name, kanban, ticketsCount }) => {
          const tickets = { count: ticketsCount, shown: formatCount(ticketsCount) };
          const use = ticketsCount === 0 ? t('delete.unused') : t('delete.text', tickets);
          return {
            title: t('delete.title', { name }),
            text: kanban === 1 ? `${use} ${t('delete.lane')}` : use,
            done: t('deleted'),
          };
        }}
      />
    </Page>
  );
}
