import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Image, Newspaper } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { announcementsQuery, useDeleteAnnouncement } from './api';
import { TONES } from './priority';
import type { Announcement } from './types';

const AnnouncementDialog = lazy(() =>
  import('./AnnouncementDialog').then((file) => ({ default: file.AnnouncementDialog })),
);

type Open =
  | { dialog: 'add' }
  | { dialog: 'edit'; row: Announcement }
  | { dialog: 'delete'; row: Announcement };

/** The announcements page: what the super user tells every company. */
export function AnnouncementsTable() {
  const { t } = useTranslation('announcements');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const list = useInfiniteQuery({
    ...announcementsQuery(search),
    placeholderData: keepPreviousData,
  });
  const remove = useDeleteAnnouncement();
  const close = () => setOpen(null);

  const columns: Column<Announcement>[] = [
    {
      id: 'title',
      header: t('columns.title'),
      primary: true,
      width: '45%',
      cell: ({ title }) => (
        <chakra.span fontWeight="semibold" lineClamp="1" wordBreak="break-all" title={title}>
          {title}
        </chakra.span>
      ),
    },
    {
      id: 'priority',
      header: t('columns.priority'),
      narrow: 'line',
      cell: ({ priority }) => <Badge tone={TONES[priority]}>{t(`priority.${priority}`)}</Badge>,
    },
    {
      id: 'media',
      header: t('columns.media'),
      cell: ({ mediaName }) =>
        mediaName ? (
          <chakra.span display="inline-flex" alignItems="center" gap="1.5" minW="0">
            <chakra.span flexShrink="0" display="flex" color="fg.muted">
              <Image size={16} aria-hidden />
            </chakra.span>
            <chakra.span truncate maxW="200px" title={mediaName}>
              {mediaName}
            </chakra.span>
          </chakra.span>
        ) : (
          <chakra.span color="fg.muted">–</chakra.span>
        ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'end',
      cell: ({ status }) => (
        <Badge tone={status ? 'live' : 'neutral'}>{status ? t('active') : t('inactive')}</Badge>
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
            icon={<Newspaper size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.title}
            editLabel={t('editOne', { name: row.title })}
            onEdit={() => setOpen({ dialog: 'edit', row })}
            deleteLabel={t('deleteOne', { name: row.title })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <AnnouncementDialog onClose={close} />}
        {open?.dialog === 'edit' && <AnnouncementDialog stored={open.row} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.title })}
          id={open.row.id}
          remove={remove}
          done={t('deleted')}
          onClose={close}
        >
          {t('delete.text')}
        </ConfirmDelete>
      )}
    </Page>
  );
}
