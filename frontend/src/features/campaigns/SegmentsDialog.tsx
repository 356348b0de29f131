import { chakra } from '@chakra-ui/react';
import { UsersRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Dialog } from '@/components/Dialog';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { canMakeCampaigns } from '@/lib/permissions';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { segmentPagesQuery, useDeleteSegment } from './api';
import { SegmentDialog } from './SegmentDialog';
import type { Segment } from './types';

/** The company's segments: search, create, edit and delete. */
export function SegmentsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const records = useRecords(segmentPagesQuery);
  const remove = useDeleteSegment();
  const canMake = canMakeCampaigns(useCurrentUser());
  const columns: Column<Segment>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      cell: ({ name }) => <RowName>{name}</RowName>,
    },
    {
      id: 'rules',
      header: t('segments.rules'),
      narrow: 'line',
      cell: (row) => <RulesLine segment={row} />,
    },
  ];
  const add = canMake && <AddButton label={t('segments.add')} onClick={records.add} />;
  return (
    <>
      <Dialog open size="lg" onClose={onClose} title={t('segments.title')}>
        <chakra.div display="flex" flexDirection="column" gap="4" minH="80" h="full">
          <chakra.div display="flex" gap="3" justifyContent="space-between">
            <chakra.div flex="1" maxW="360px">
              <SearchInput label={t('segments.search')} {...records.searching} />
            </chakra.div>
            {add}
          </chakra.div>
          <RecordTable
            records={records}
            label={t('segments.title')}
            columns={columns}
            empty={{
              icon: <UsersRound size={20} />,
              title: t('segments.empty'),
              text: t('segments.emptyText'),
              search: t('empty.search', { text: records.search }),
            }}
            onOpen={canMake && records.edit}
            actions={({ name }) => ({
              name,
              edit: canMake && t('editOne', { name }),
              remove: t('deleteOne', { name }),
            })}
          />
        </chakra.div>
      </Dialog>
      <RecordDialogs
        records={records}
        form={(row) => <SegmentDialog segment={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name }) => ({
          title: t('delete.title', { name }),
          text: t('segments.deleteText'),
          done: t('segments.deleted'),
        })}
      />
    </>
  );
}

/** The kinds of rules in a segment. */
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
