import { chakra } from '@chakra-ui/react';
import { Ban, ChartColumn, Megaphone, RotateCw, UsersRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { formatDateTime } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { campaignPagesQuery, useDeleteCampaign } from './api';
import { useCampaignEvents, useSegmentEvents } from './events';
import { ProgressBar, useAssessed, useWaitReason } from './Standing';
import { StatusBadge } from './StatusBadge';
import { useSources } from './sources';
import { TurnDialog, type Turn } from './TurnDialog';
import type { Campaign } from './types';

const CampaignDialog = lazy(() =>
  import('./CampaignDialog').then((module) => ({ default: module.CampaignDialog })),
);
const SegmentsDialog = lazy(() =>
  import('./SegmentsDialog').then((module) => ({ default: module.SegmentsDialog })),
);

/** The page of campaigns. */
export function CampaignsTable({ onReport }: { onReport: (campaign: Campaign) => void }) {
  const { t } = useTranslation(['campaigns', 'common']);
  const records = useRecords(campaignPagesQuery);
  const [areSegmentsOpen, setSegmentsOpen] = useState(false);
  const [turning, setTurning] = useState<{ turn: Turn; campaign: Campaign } | null>(null);
  const canMake = canMakeCampaigns(useCurrentUser());
  useAddRequest(() => {
    if (canMake) records.add();
  });
  const remove = useDeleteCampaign();
  const waitReason = useWaitReason();
  const assessedWords = useAssessed();
  const sources = useSources();
  useCampaignEvents();
  useSegmentEvents();

  const columns: Column<Campaign>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <RowName>{name}</RowName>,
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'line',
      cell: (row) => {
        const waits = waitReason(row);
        return (
          <chakra.div display="flex" flexDirection="column" alignItems="flex-start" gap="1">
            <StatusBadge status={row.status} isWaiting={waits !== ''} />
            {(row.status === 'EM_ANDAMENTO' || row.status === 'CANCELADA') && (
              <ProgressBar campaign={row} />
            )}
            {[waits, assessedWords(row)].filter(Boolean).map((words) => (
              <chakra.span key={words} textStyle="xs" color="status.waiting.fg" whiteSpace="normal">
                {words}
              </chakra.span>
            ))}
          </chakra.div>
        );
      },
    },
    {
      id: 'contactList',
      header: t('columns.contactList'),
      cell: (row) => orMuted(sources(row), t('none.contactList')),
    },
    {
      id: 'whatsapp',
      header: t('columns.whatsapp'),
      cell: ({ whatsapp }) => orMuted(whatsapp?.name, t('none.whatsapp')),
    },
    {
      id: 'scheduledAt',
      header: t('columns.scheduledAt'),
      narrow: 'line',
      cell: ({ scheduledAt }) => <Moment moment={scheduledAt} none={t('none.scheduledAt')} />,
    },
    {
      id: 'completedAt',
      header: t('columns.completedAt'),
      cell: ({ completedAt }) => <Moment moment={completedAt} none={t('none.completedAt')} />,
    },
    {
      id: 'confirmation',
      header: t('columns.confirmation'),
      cell: ({ confirmation }) => t(confirmation ? 'confirmation.on' : 'confirmation.off'),
    },
  ];

  const add = canMake && <AddButton label={t('add')} onClick={records.add} />;
  const turnsOf = (row: Campaign) => {
    if (row.status === 'EM_ANDAMENTO')
      return [
        {
          id: 'cancel',
          label: t('cancelOne', { name: row.name }),
          icon: <Ban size={16} />,
          onSelect: () => setTurning({ turn: 'cancel', campaign: row }),
        },
      ];
    if (row.status === 'CANCELADA' && canMake)
      return [
        {
          id: 'restart',
          label: t('restartOne', { name: row.name }),
          icon: <RotateCw size={16} />,
          onSelect: () => setTurning({ turn: 'restart', campaign: row }),
        },
      ];
    return [];
  };

  return (
    <Page
      tools={<SearchInput label={t('search')} {...records.searching} />}
      action={
        <chakra.div display="flex" gap="2">
          <AddButton
            variant="outline"
            label={t('segments.title')}
            icon={<UsersRound size={16} aria-hidden />}
            onClick={() => setSegmentsOpen(true)}
          />
          {add}
        </chakra.div>
      }
    >
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Megaphone size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={(row) => ({
          name: row.name,
          edit: t('editOne', { name: row.name }),
          remove: t('deleteOne', { name: row.name }),
          more: [
            ...turnsOf(row),
            {
              id: 'report',
              label: t('reportOne', { name: row.name }),
              icon: <ChartColumn size={16} />,
              onSelect: () => onReport(row),
            },
          ],
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => (
          <CampaignDialog
            campaign={records.rows?.find(({ id }) => id === row?.id) ?? row}
            onClose={records.close}
          />
        )}
        remove={remove}
        deletion={({ name }) => ({
          title: t('delete.title', { name }),
          text: t('delete.text'),
          done: t('deleted'),
        })}
      />
      <Suspense fallback={null}>
        {areSegmentsOpen && <SegmentsDialog onClose={() => setSegmentsOpen(false)} />}
      </Suspense>
      {turning && <TurnDialog {...turning} onClose={() => setTurning(null)} />}
    </Page>
  );
}

const orMuted = (text: string | undefined, none: string) =>
  text || <chakra.span color="fg.muted">{none}</chakra.span>;

function Moment({ moment, none }: { moment: string | null; none: string }) {
  return (
    <chakra.span
      whiteSpace="nowrap"
      fontVariantNumeric="tabular-nums"
      {...(!moment && { color: 'fg.muted' })}
    >
      {moment ? formatDateTime(moment) : none}
    </chakra.span>
  );
}
