import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SquareKanban, Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Chip } from '@/components/Badge';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { formatCount } from '@/lib/format';
import { useAddRequest } from '@/lib/useAddRequest';
import { tagPagesQuery, tagsQuery, useDeleteTag } from './api';
import { useTagEvents } from './events';
import { leastUsed } from './palette';
import { TagDialog } from './TagDialog';
import type { Tag } from './types';

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete'; tag: Tag };

/** The tags page: each with its colour and how many tickets carry it. */
export function TagsTable() {
  const { t } = useTranslation(['tags', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  useAddRequest(() => setOpen({ dialog: 'add' }));
  const list = useInfiniteQuery({ ...tagPagesQuery(search), placeholderData: keepPreviousData });
  const all = useQuery(tagsQuery());
  useTagEvents();
  const close = () => setOpen(null);
  const count = list.data?.count ?? 0;
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;

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
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      {count > 0 && (
        <chakra.p role="status" textStyle="sm" color="fg.muted" my="-1">
          {t('count', { count, shown: formatCount(count) })}
        </chakra.p>
      )}
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.rows}
        query={list}
        onRowClick={(tag) => setOpen({ dialog: 'edit', tag })}
        empty={
          <EmptyState
            icon={<Tags size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && {
              text: t('empty.text'),
              action: add,
            })}
          />
        }
        actions={(tag) => (
          <RowActions
            name={tag.name}
            editLabel={t('editTag', { name: tag.name })}
            onEdit={() => setOpen({ dialog: 'edit', tag })}
            deleteLabel={t('deleteTag', { name: tag.name })}
            onDelete={() => setOpen({ dialog: 'delete', tag })}
          />
        )}
      />
      {open?.dialog === 'add' && (
        <TagDialog
          initialColor={leastUsed(all.data?.map(({ color }) => color) ?? [])}
          onClose={close}
          onSaved={close}
        />
      )}
      {open?.dialog === 'edit' && <TagDialog tag={open.tag} onClose={close} onSaved={close} />}
      {open?.dialog === 'delete' && <DeleteTag tag={open.tag} onClose={close} />}
    </Page>
  );
}

function DeleteTag({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { t } = useTranslation(['tags', 'common']);
  const remove = useDeleteTag();
  const { ticketsCount: count } = tag;
  return (
    <ConfirmDelete
      title={t('delete.title', { name: tag.name })}
      id={tag.id}
      remove={remove}
      done={t('deleted')}
      onClose={onClose}
    >
      {count === 0 ? t('delete.unused') : t('delete.text', { count, shown: formatCount(count) })}
      {tag.kanban === 1 && ` ${t('delete.lane')}`}
    </ConfirmDelete>
  );
}
