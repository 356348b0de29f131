import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Dialog } from '@/components/Dialog';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { canMakeCampaigns } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { segmentPagesQuery, useDeleteSegment } from './api';
import { SegmentDialog } from './SegmentDialog';
import type { Segment } from './types';

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete'; row: Segment };

/** The company's segments: found, made, changed and deleted. */
export function SegmentsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const list = useInfiniteQuery(segmentPagesQuery(search));
  const remove = useDeleteSegment();
  const canMake = canMakeCampaigns(useCurrentUser());
  const close = () => setOpen(null);
  const columns: Column<Segment>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      cell: ({ name }) => (
        <chakra.span fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.span>
      ),
    },
    {
      id: 'rules',
      header: t('segments.rules'),
      narrow: 'line',
      cell: (row) => <RulesLine segment={row} />,
    },
  ];
  const add = canMake && (
    <AddButton label={t('segments.add')} onClick={() => setOpen({ dialog: 'add' })} />
  );
  return (
    <>
      <Dialog open size="lg" onClose={onClose} title={t('segments.title')}>
        <chakra.div display="flex" flexDirection="column" gap="4" minH="80" h="full">
          <chakra.div display="flex" gap="3" justifyContent="space-between">
            <chakra.div flex="1" maxW="360px">
              <SearchInput label={t('segments.search')} value={search} onSearch={setSearch} />
            </chakra.div>
            {add}
          </chakra.div>
          <DataTable
            label={t('segments.title')}
            columns={columns}
            rows={list.data?.rows}
            query={list}
            {...(canMake && {
              onRowClick: (row: Segment) => setOpen({ dialog: 'edit', row }),
            })}
            empty={
              <EmptyState
                icon={<UsersRound size={20} />}
                title={search ? t('empty.search', { text: search }) : t('segments.empty')}
                {...(!search && { text: t('segments.emptyText') })}
              />
            }
            actions={(row) => (
              <RowActions
                name={row.name}
                editLabel={t('editOne', { name: row.name })}
                onEdit={canMake && (() => setOpen({ dialog: 'edit', row }))}
                deleteLabel={t('deleteOne', { name: row.name })}
                onDelete={() => setOpen({ dialog: 'delete', row })}
              />
            )}
          />
        </chakra.div>
      </Dialog>
      {open?.dialog === 'add' && <SegmentDialog onClose={close} />}
      {open?.dialog === 'edit' && <SegmentDialog segment={open.row} onClose={close} />}
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.name })}
          id={open.row.id}
          remove={remove}
          done={t('segments.deleted')}
          onClose={close}
        >
          {t('segments.deleteText')}
        </ConfirmDelete>
      )}
    </>
  );
}

/** Which kinds of rules a segment has. */
function RulesLine({ segment: { rules } }: { segment: Segment }) {
  const { t } = useTranslation('campaigns');
  const parts = [
    rules.tagIds.length > 0 && t('segments.has.tags', { count: rules.tagIds.length }),
    rules.queueIds.length > 0 && t('segments.has.queues', { count: rules.queueIds.length }),
    (rules.lastContactFrom ?? rules.lastContactTo) !== null && t('segments.has.lastContact'),
    rules.city && t('segments.has.city', { city: rules.city }),
    rules.fieldName && `${rules.fieldName}: ${rules.fieldValue}`,
  ].filter(Boolean);
  return (
    <chakra.span color="fg.muted">
      {parts.length > 0 ? parts.join(' · ') : t('segments.nobody')}
    </chakra.span>
  );
}
