import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Ban, ChartColumn, Megaphone, RotateCw, UsersRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { formatDateTime } from '@/lib/format';
import { canMakeCampaigns } from '@/lib/permissions';
import { useAddRequest } from '@/lib/useAddRequest';
import { useCurrentUser } from '@/stores/session';
import { campaignPagesQuery, useDeleteCampaign } from './api';
import { useCampaignEvents, useSegmentEvents } from './events';
import { ProgressBar, useWaitReason } from './Standing';
import { StatusBadge } from './StatusBadge';
import { TurnDialog, type Turn } from './TurnDialog';
import type { Campaign } from './types';

const CampaignDialog = lazy(() =>
  import('./CampaignDialog').then((module) => ({ default: module.CampaignDialog })),
);
const SegmentsDialog = lazy(() =>
  import('./SegmentsDialog').then((module) => ({ default: module.SegmentsDialog })),
);

type Open =
  | { dialog: 'add' | 'segments' }
  | { dialog: 'edit' | 'delete'; row: Campaign }
  | { dialog: 'turn'; turn: Turn; row: Campaign };

/** The page of campaigns. */
export function CampaignsTable({ onReport }: { onReport: (campaign: Campaign) => void }) {
  const { t } = useTranslation(['campaigns', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const canMake = canMakeCampaigns(useCurrentUser());
  useAddRequest(() => {
    if (canMake) setOpen({ dialog: 'add' });
  });
  const list = useInfiniteQuery({
    ...campaignPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.rows;
  const remove = useDeleteCampaign();
  const waitReason = useWaitReason();
  useCampaignEvents();
  useSegmentEvents();
  const close = () => setOpen(null);

  const columns: Column<Campaign>[] = [
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
            {waits && (
              <chakra.span textStyle="xs" color="status.waiting.fg" whiteSpace="normal">
                {waits}
              </chakra.span>
            )}
          </chakra.div>
        );
      },
    },
    {
      id: 'contactList',
      header: t('columns.contactList'),
      cell: ({ contactList }) => orMuted(contactList?.name, t('none.contactList')),
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

  const add = canMake && <AddButton label={t('add')} onClick={() => setOpen({ dialog: 'add' })} />;
  const turnsOf = (row: Campaign) => {
    if (row.status === 'EM_ANDAMENTO')
      return [
        {
          id: 'cancel',
          label: t('cancelOne', { name: row.name }),
          icon: <Ban size={16} />,
          onSelect: () => setOpen({ dialog: 'turn', turn: 'cancel', row }),
        },
      ];
    if (row.status === 'CANCELADA' && canMake)
      return [
        {
          id: 'restart',
          label: t('restartOne', { name: row.name }),
          icon: <RotateCw size={16} />,
          onSelect: () => setOpen({ dialog: 'turn', turn: 'restart', row }),
        },
      ];
    return [];
  };

  return (
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={
        <chakra.div display="flex" gap="2">
          <AddButton
            variant="outline"
            label={t('segments.title')}
            icon={<UsersRound size={16} aria-hidden />}
            onClick={() => setOpen({ dialog: 'segments' })}
          />
          {add}
        </chakra.div>
      }
    >
      <DataTable
        label={t('label')}
        columns={columns}
        rows={rows}
        query={list}
        onRowClick={(row) => setOpen({ dialog: 'edit', row })}
        empty={
          <EmptyState
            icon={<Megaphone size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            more={[
              ...turnsOf(row),
              {
                id: 'report',
                label: t('reportOne', { name: row.name }),
                icon: <ChartColumn size={16} />,
                onSelect: () => onReport(row),
              },
            ]}
            editLabel={t('editOne', { name: row.name })}
            onEdit={() => setOpen({ dialog: 'edit', row })}
            deleteLabel={t('deleteOne', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'add' && <CampaignDialog onClose={close} />}
        {open?.dialog === 'edit' && (
          <CampaignDialog
            campaign={rows?.find(({ id }) => id === open.row.id) ?? open.row}
            onClose={close}
          />
        )}
        {open?.dialog === 'segments' && <SegmentsDialog onClose={close} />}
      </Suspense>
      {open?.dialog === 'turn' && (
        <TurnDialog turn={open.turn} campaign={open.row} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.row.name })}
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

const orMuted = (text: string | undefined, none: string) =>
  text ?? <chakra.span color="fg.muted">{none}</chakra.span>;

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
