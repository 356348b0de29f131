import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { QueueChips } from '@/components/QueueChips';
import { RowActions } from '@/components/RowActions';
import { EmptyState } from '@/components/States';
import { formatDateTime, formatPhone, formatTime } from '@/lib/format';
import { can } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { useReason } from '@/lib/useReason';
import { useCurrentUser } from '@/stores/session';
import { connectionsQuery, useDeleteConnection, useVerifyConnection } from './api';
import { ConnectionDialog } from './ConnectionDialog';
import type { Connection } from './types';

type Open =
  | { dialog: 'add' }
  | { dialog: 'edit'; connection: Connection }
  | { dialog: 'delete'; connection: Connection };

const TONES: Record<string, 'live' | 'waiting' | 'danger'> = {
  CONNECTED: 'live',
  OPENING: 'waiting',
  PAIRING: 'waiting',
  qrcode: 'waiting',
};

function Status({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const { status, sendsPausedUntil } = connection;
  const reason = useReason()(connection, connection.statusReason);
  return (
    <chakra.span display="flex" flexDirection={{ md: 'column' }} alignItems="flex-start" gap="1">
      <Badge tone={TONES[status] ?? 'danger'}>{t(`status.${status}`)}</Badge>
      {sendsPausedUntil && (
        <chakra.span textStyle="xs" color="status.waiting.fg">
          {t('pausedUntil', { time: formatTime(sendsPausedUntil) })}
        </chakra.span>
      )}
      {reason && (
        <chakra.span textStyle="xs" color="fg.muted" maxW="40ch">
          {reason}
        </chakra.span>
      )}
    </chakra.span>
  );
}

/** The connections page: the company's numbers and how they are. */
export function ConnectionsTable() {
  const { t } = useTranslation(['connections', 'common']);
  const user = useCurrentUser();
  const client = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useQuery(connectionsQuery());
  const remove = useDeleteConnection();
  const verify = useVerifyConnection();
  const refresh = () => void client.invalidateQueries({ queryKey: ['connections'] });
  useCompanyEvent('whatsapp', refresh);
  useCompanyEvent('whatsappSession', refresh);
  const mayAdd = can(user, 'connections-page:addConnection');
  useAddRequest(() => mayAdd && setOpen({ dialog: 'add' }));
  const mayEdit = can(user, 'connections-page:editOrDeleteConnection');
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;

  const columns: Column<Connection>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: (connection) => (
        <chakra.span display="inline-flex" alignItems="center" gap="2">
          {connection.name}
          {connection.isDefault && <Badge tone="soft">{t('default')}</Badge>}
        </chakra.span>
      ),
    },
    {
      id: 'number',
      header: t('columns.number'),
      narrow: 'line',
      cell: ({ number }) => (
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {number ? formatPhone(number) : '–'}
        </chakra.span>
      ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'line',
      cell: (connection) => <Status connection={connection} />,
    },
    {
      id: 'queues',
      header: t('columns.queues'),
      cell: ({ queues }) => <QueueChips queues={queues} empty={t('noQueues')} />,
    },
    {
      id: 'updated',
      header: t('columns.updated'),
      numeric: true,
      cell: ({ updatedAt }) => (
        <chakra.span whiteSpace="nowrap">{formatDateTime(updatedAt)}</chakra.span>
      ),
    },
  ];

  return (
    <Page action={mayAdd ? add : undefined} tools={null}>
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data}
        query={list}
        {...(mayEdit && {
          onRowClick: (connection: Connection) => setOpen({ dialog: 'edit', connection }),
        })}
        empty={
          <EmptyState
            icon={<Smartphone size={20} />}
            title={t('empty.title')}
            text={t('empty.text')}
            action={mayAdd ? add : undefined}
          />
        }
        actions={(connection) => (
          <RowActions
            name={connection.name}
            more={
              can(user, 'connections-page:actionButtons') && connection.status !== 'CONNECTED'
                ? [
                    {
                      id: 'verify',
                      label: t('verify'),
                      words: t('verify'),
                      icon: <RotateCw size={16} />,
                      loading: verify.isPending && verify.variables === connection.id,
                      onSelect: () => verify.mutate(connection.id, { onError: toast.error }),
                    },
                  ]
                : []
            }
            editLabel={t('editConnection', { name: connection.name })}
            onEdit={mayEdit && (() => setOpen({ dialog: 'edit', connection }))}
            deleteLabel={t('deleteConnection', { name: connection.name })}
            onDelete={mayEdit && (() => setOpen({ dialog: 'delete', connection }))}
          />
        )}
      />
      {open?.dialog === 'add' && (
        <ConnectionDialog isFirst={list.data?.length === 0} onClose={() => setOpen(null)} />
      )}
      {open?.dialog === 'edit' && (
        <ConnectionDialog
          connection={open.connection}
          isFirst={false}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.connection.name })}
          id={open.connection.id}
          remove={remove}
          done={t('deleted')}
          onClose={() => setOpen(null)}
        >
          {t('delete.text')}
        </ConfirmDelete>
      )}
    </Page>
  );
}
