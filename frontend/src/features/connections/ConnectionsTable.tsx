import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Activity, SendHorizontal, Smartphone, Store } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { ConfirmDialog } from '@/components/Dialog';
import { Page } from '@/components/Page';
import { QueueChips } from '@/components/QueueChips';
import { RowActions, type RowAction } from '@/components/RowActions';
import { EmptyState } from '@/components/States';
import { formatDateTime, formatPhone, formatTime } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useCompanyEvent } from '@/lib/socket';
import { qualityTone } from '@/lib/numberFigures';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { useReason } from '@/lib/useReason';
import { useCurrentUser } from '@/stores/session';
import { connectionsQuery, signupQuery, useDeleteConnection, useDisconnect } from './api';
import { ConnectionDialog } from './ConnectionDialog';
import { alertWords } from './figures';
import { HealthDialog } from './HealthDialog';
import type { Connection } from './types';
import { useOpeningClock, useSession } from './useSession';

const SignupDialog = lazy(() =>
  import('./SignupDialog').then((file) => ({ default: file.SignupDialog })),
);
const QrDialog = lazy(() => import('./QrDialog').then((file) => ({ default: file.QrDialog })));

const ProfileDialog = lazy(() =>
  import('./ProfileDialog').then((file) => ({ default: file.ProfileDialog })),
);
const TestMessageDialog = lazy(() =>
  import('./TestMessageDialog').then((file) => ({ default: file.TestMessageDialog })),
);

type Open =
  | { dialog: 'add' }
  | { dialog: 'signup' }
  | { dialog: 'edit'; connection: Connection; startsAt?: 'accessToken' }
  | { dialog: 'delete'; connection: Connection }
  | { dialog: 'health'; connection: Connection }
  | { dialog: 'profile'; connection: Connection }
  | { dialog: 'test'; connection: Connection }
  | { dialog: 'disconnect'; connection: Connection }
  | { dialog: 'qr'; connection: Connection };

const TONES: Record<string, 'live' | 'waiting' | 'danger'> = {
  CONNECTED: 'live',
  OPENING: 'waiting',
  PAIRING: 'waiting',
  qrcode: 'waiting',
};

interface StatusProps {
  connection: Connection;
  /** What its messages cost this month, in a line. */
  cost: ReactNode;
}

function Status({ connection, cost }: StatusProps) {
  const { t } = useTranslation('connections');
  const { status, sendsPausedUntil, qualityRating, alerts } = connection;
  const words = useReason();
  const reason = words(connection, connection.statusReason);
  const { routingReasonCode, routingReasonDetail, routingReason } = connection;
  const unrouted =
    routingReason &&
    words({ reasonCode: routingReasonCode, reasonDetail: routingReasonDetail }, routingReason);
  return (
    <chakra.span
      display="flex"
      alignItems="flex-start"
      gap="1"
      // One line, like narrow rows: overflow is clipped after the badge.
      css={{ '@media (min-width: 900px)': { flexDirection: 'column' } }}
    >
      <Badge tone={TONES[status] ?? 'danger'} whiteSpace="nowrap" flexShrink="0">
        {t(`status.${status}`)}
      </Badge>
      {(qualityRating === 'YELLOW' || qualityRating === 'RED') && (
        <Badge tone={qualityTone(qualityRating)} whiteSpace="nowrap">
          {t('qualityIs', { rating: t(`quality.${qualityRating}`) })}
        </Badge>
      )}
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
      {unrouted && (
        <chakra.span textStyle="xs" color="status.waiting.fg" maxW="40ch">
          {t('routingFailed', { reason: unrouted })}
        </chakra.span>
      )}
      {cost}
      {alerts.map((alert) => (
        <chakra.span
          key={alert.kind}
          textStyle="xs"
          color={alert.severity === 'critical' ? 'status.danger.fg' : 'status.waiting.fg'}
          maxW="40ch"
        >
          {alertWords(alert, t)}
        </chakra.span>
      ))}
    </chakra.span>
  );
}

interface ConnectionsTableProps {
  /** What a number's messages cost this month, in a line. */
  costOf: (connection: Connection) => ReactNode;
}

/** The connections page: the company's numbers and their states. */
export function ConnectionsTable({ costOf }: ConnectionsTableProps) {
  const { t } = useTranslation(['connections', 'common']);
  const user = useCurrentUser();
  const client = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const list = useQuery(connectionsQuery());
  const now = useOpeningClock(list.data);
  const remove = useDeleteConnection();
  const disconnect = useDisconnect();
  const showCode = (connection: Connection) => setOpen({ dialog: 'qr', connection });
  const sessionActions = useSession({
    onCode: showCode,
    onDisconnect: (connection) => setOpen({ dialog: 'disconnect', connection }),
    onReconnect: (connection) => setOpen({ dialog: 'edit', connection, startsAt: 'accessToken' }),
  });
  const shown = open?.dialog === 'qr' && list.data?.find(({ id }) => id === open.connection.id);
  const refresh = () => void client.invalidateQueries({ queryKey: ['connections'] });
  useCompanyEvent('whatsapp', refresh);
  useCompanyEvent('whatsappSession', refresh);
  const mayAdd = may(user, 'connections:manage');
  const offer = useQuery({ ...signupQuery(), enabled: mayAdd }).data;
  useAddRequest(() => mayAdd && setOpen({ dialog: 'add' }));
  const mayEdit = may(user, 'connections:manage');
  const mayAct = may(user, 'connections:manage');
  const checks = (connection: Connection): RowAction[] => [
    {
      id: 'health',
      label: t('health.of', { name: connection.name }),
      icon: <Activity size={16} />,
      onSelect: () => setOpen({ dialog: 'health', connection }),
    },
    {
      id: 'trial',
      label: t('trial.of', { name: connection.name }),
      icon: <SendHorizontal size={16} />,
      disabled: connection.status !== 'CONNECTED',
      onSelect: () => setOpen({ dialog: 'test', connection }),
    },
    ...(connection.provider === 'official'
      ? [
          {
            id: 'profile',
            label: t('profile.of', { name: connection.name }),
            icon: <Store size={16} />,
            onSelect: () => setOpen({ dialog: 'profile', connection }),
          },
        ]
      : []),
  ];
  const add = (
    <chakra.span display="flex" flexWrap="wrap" justifyContent="flex-end" gap="2">
      {offer?.isOffered && (
        <Button variant="outline" onClick={() => setOpen({ dialog: 'signup' })}>
          {t('signup.title')}
        </Button>
      )}
      <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />
    </chakra.span>
  );

  const columns: Column<Connection>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: (connection) => (
        <chakra.span display="inline-flex" flexWrap="wrap" alignItems="center" columnGap="2">
          {connection.name}
          {connection.isDefault && <Badge tone="soft">{t('default')}</Badge>}
        </chakra.span>
      ),
    },
    {
      id: 'number',
      header: t('columns.number'),
      narrow: 'line',
      cell: ({ number, provider }) => (
        <chakra.span display="inline-flex" flexDirection="column" whiteSpace="nowrap">
          <chakra.span fontVariantNumeric="tabular-nums">
            {number ? formatPhone(number) : '–'}
          </chakra.span>
          <chakra.span
            textStyle="xs"
            color="fg.muted"
            css={{ '@media (max-width: 899px)': { display: 'none' } }}
          >
            {t(`provider.${provider}`)}
          </chakra.span>
        </chakra.span>
      ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'line',
      cell: (connection) => <Status connection={connection} cost={costOf(connection)} />,
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
      cell: ({ updatedAt }) => formatDateTime(updatedAt),
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
            more={mayAct ? [...sessionActions(connection, now), ...checks(connection)] : []}
            editLabel={t('editConnection', { name: connection.name })}
            onEdit={mayEdit && (() => setOpen({ dialog: 'edit', connection }))}
            deleteLabel={t('deleteConnection', { name: connection.name })}
            onDelete={mayEdit && (() => setOpen({ dialog: 'delete', connection }))}
          />
        )}
      />
      {open?.dialog === 'add' && (
        <ConnectionDialog
          isFirst={list.data?.length === 0}
          onClose={() => setOpen(null)}
          onSession={showCode}
        />
      )}
      {open?.dialog === 'edit' && (
        <ConnectionDialog
          connection={open.connection}
          startsAt={open.startsAt}
          isFirst={false}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.dialog === 'signup' && offer && (
        <Suspense>
          <SignupDialog offer={offer} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {shown && (
        <Suspense>
          <QrDialog connection={shown} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open?.dialog === 'health' && (
        <HealthDialog connection={open.connection} onClose={() => setOpen(null)} />
      )}
      {open?.dialog === 'profile' && (
        <Suspense>
          <ProfileDialog connection={open.connection} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open?.dialog === 'test' && (
        <Suspense>
          <TestMessageDialog connection={open.connection} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open?.dialog === 'disconnect' && (
        <ConfirmDialog
          open
          onClose={() => setOpen(null)}
          title={t('disconnect.title', { name: open.connection.name })}
          confirmLabel={t('session.disconnect')}
          loading={disconnect.isPending}
          onConfirm={() =>
            disconnect.mutate(open.connection, {
              onError: toast.error,
              onSettled: () => setOpen(null),
            })
          }
        >
          {t('disconnect.text')}
        </ConfirmDialog>
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
