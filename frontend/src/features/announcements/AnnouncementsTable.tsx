import { chakra } from '@chakra-ui/react';
import { Image, Newspaper } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { FileName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { useRecords } from '@/lib/useRecords';
import { announcementsQuery, useDeleteAnnouncement } from './api';
import { TONES } from './priority';
import type { Announcement } from './types';

const AnnouncementDialog = lazy(() =>
  import('./AnnouncementDialog').then((file) => ({ default: file.AnnouncementDialog })),
);

/** The announcements page, where the super user writes to all companies. */
export function AnnouncementsTable() {
  const { t } = useTranslation('announcements');
  const records = useRecords(announcementsQuery);
  const remove = useDeleteAnnouncement();

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
      cell: ({ mediaName }) => <FileName icon={<Image size={16} aria-hidden />} name={mediaName} />,
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

  const add = <AddButton label={t('add')} onClick={records.add} />;
  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Newspaper size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={({ title: name }) => ({
          name,
          edit: t('editOne', { name }),
          remove: t('deleteOne', { name }),
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <AnnouncementDialog stored={row} onClose={records.close} />}
        remove={remove}
        deletion={({ title }) => ({
          title: t('delete.title', { name: title }),
          text: t('delete.text'),
          done: t('deleted'),
        })}
      />
    </Page>
  );
}
