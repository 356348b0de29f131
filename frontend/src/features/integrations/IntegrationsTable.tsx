import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText, Workflow } from 'lucide-react';
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
import { namesOf, UsedBy } from '@/components/UsedBy';
import { formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { integrationPagesQuery, useDeleteIntegration } from './api';
import { useIntegrationEvents } from './events';
import { TYPES } from './integrationTypes';
import type { Integration } from './types';

const IntegrationDialog = lazy(() =>
  import('./IntegrationDialog').then((file) => ({ default: file.IntegrationDialog })),
);
const DeliveryLog = lazy(() =>
  import('./DeliveryLog').then((file) => ({ default: file.DeliveryLog })),
);

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete' | 'log'; row: Integration };

/** The integrations page: each with its type, where it answers and how its last call went. */
export function IntegrationsTable() {
  const { t } = useTranslation(['integrations', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const list = useInfiniteQuery({
    ...integrationPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  useIntegrationEvents();
  const close = () => setOpen(null);
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;

  const columns: Column<Integration>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      picture: (row) => <TypeIcon row={row} />,
      cell: (row) => <Name row={row} />,
    },
    {
      id: 'id',
      header: t('columns.id'),
      numeric: true,
      width: '80px',
      cell: ({ id }) => id,
    },
    { id: 'uses', header: t('columns.usedBy'), cell: (row) => <Uses row={row} /> },
    {
      id: 'last',
      header: t('columns.lastDelivery'),
      narrow: 'line',
      width: '220px',
      cell: (row) => <LastDelivery row={row} />,
    },
  ];

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
            icon={<Workflow size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            more={[
              {
                id: 'log',
                label: t('openLog', { name: row.name }),
                icon: <ScrollText size={16} />,
                onSelect: () => setOpen({ dialog: 'log', row }),
              },
            ]}
            editLabel={t('editRow', { name: row.name })}
            onEdit={() => setOpen({ dialog: 'edit', row })}
            deleteLabel={t('deleteRow', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense>
        {open?.dialog === 'add' && <IntegrationDialog onClose={close} />}
        {open?.dialog === 'edit' && <IntegrationDialog integration={open.row} onClose={close} />}
        {open?.dialog === 'log' && <DeliveryLog integration={open.row} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && <DeleteIntegration row={open.row} onClose={close} />}
    </Page>
  );
}

function TypeIcon({ row }: { row: Integration }) {
  const Icon = TYPES[row.type];
  return (
    <chakra.span
      aria-hidden
      display="flex"
      alignItems="center"
      justifyContent="center"
      w="8"
      h="8"
      borderRadius="md"
      bg="bg.subtle"
      color="fg.muted"
    >
      <Icon size={16} />
    </chakra.span>
  );
}

function Name({ row }: { row: Integration }) {
  const { t } = useTranslation('integrations');
  return (
    <>
      <chakra.span fontWeight="semibold" overflowWrap="anywhere">
        {row.name}
      </chakra.span>
      <chakra.span
        display={{ base: 'none', md: 'block' }}
        textStyle="xs"
        fontWeight="normal"
        color="fg.muted"
      >
        {t(`types.${row.type}.name`)}
      </chakra.span>
    </>
  );
}

function Uses({ row }: { row: Integration }) {
  const { t } = useTranslation('integrations');
  const { queues, connections } = row.usedBy;
  const words = (rows: typeof queues) => ({ count: rows.length, names: namesOf(rows) });
  return (
    <UsedBy
      lines={[
        queues.length > 0 && t('usedByQueues', words(queues)),
        connections.length > 0 && t('usedByConnections', words(connections)),
      ]}
      none={t('unused')}
    />
  );
}

function LastDelivery({ row }: { row: Integration }) {
  const { t } = useTranslation('integrations');
  const reason = useReason();
  const { lastDelivery: last } = row;
  if (!last) return <chakra.span color="fg.muted">{t('last.never')}</chakra.span>;
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" flexWrap="wrap">
      <Badge tone={last.ok ? 'live' : 'danger'} title={reason(last, last.error) || undefined}>
        {last.ok ? t('last.ok') : t('last.failed')}
      </Badge>
      <chakra.span textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        {formatDateTime(last.at)}
      </chakra.span>
    </chakra.span>
  );
}

function DeleteIntegration({ row, onClose }: { row: Integration; onClose: () => void }) {
  const { t } = useTranslation(['integrations', 'common']);
  const remove = useDeleteIntegration();
  const count = row.usedBy.queues.length + row.usedBy.connections.length;
  return (
    <ConfirmDelete
      title={t('delete.title', { name: row.name })}
      id={row.id}
      remove={remove}
      done={t('deleted')}
      onClose={onClose}
    >
      {t('delete.text')}
      {count > 0 && ` ${t('delete.used', { count })}`}
    </ConfirmDelete>
  );
}
