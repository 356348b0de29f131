import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText, Webhook } from 'lucide-react';
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
import { formatCount, formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import type { OutgoingWebhook } from './types';
import { useDeleteWebhook, webhookPagesQuery } from './webhookApi';
import { useWebhookEvents } from './webhookEvents';
import { WEBHOOK_EVENTS } from './webhookSchemas';

const WebhookDialog = lazy(() =>
  import('./WebhookDialog').then((file) => ({ default: file.WebhookDialog })),
);
const WebhookLog = lazy(() =>
  import('./WebhookLog').then((file) => ({ default: file.WebhookLog })),
);

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete' | 'log'; id: number };

/** The page of outgoing webhooks: each with what it hears and how it fares (rules/automation §11). */
export function WebhooksTable() {
  const { t } = useTranslation(['webhooks', 'integrations', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const list = useInfiniteQuery({
    ...webhookPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  useWebhookEvents();
  const close = () => setOpen(null);
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;
  const dialog = open?.dialog;
  // As it is now: what the server says of it meanwhile is shown in the dialog too.
  const row = open && 'id' in open && list.data?.rows.find(({ id }) => id === open.id);

  const columns: Column<OutgoingWebhook>[] = [
    {
      id: 'name',
      header: t('integrations:columns.name'),
      primary: true,
      cell: (each) => <Name row={each} />,
    },
    { id: 'events', header: t('columns.events'), cell: (each) => <Events row={each} /> },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'end',
      width: '150px',
      cell: (each) => <Status row={each} />,
    },
    {
      id: 'waiting',
      header: t('columns.waiting'),
      numeric: true,
      width: '120px',
      cell: ({ waiting }) => formatCount(waiting),
    },
    {
      id: 'last',
      header: t('integrations:columns.lastDelivery'),
      narrow: 'line',
      width: '220px',
      cell: (each) => <LastDelivery row={each} />,
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
        onRowClick={({ id }) => setOpen({ dialog: 'edit', id })}
        isAlarming={({ stoppedBy }) => stoppedBy === 'failures'}
        empty={
          <EmptyState
            icon={<Webhook size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={({ id, name }) => (
          <RowActions
            name={name}
            more={[
              {
                id: 'log',
                label: t('integrations:openLog', { name }),
                icon: <ScrollText size={16} />,
                onSelect: () => setOpen({ dialog: 'log', id }),
              },
            ]}
            editLabel={t('integrations:editRow', { name })}
            onEdit={() => setOpen({ dialog: 'edit', id })}
            deleteLabel={t('integrations:deleteRow', { name })}
            onDelete={() => setOpen({ dialog: 'delete', id })}
          />
        )}
      />
      <Suspense>
        {dialog === 'add' && <WebhookDialog onClose={close} />}
        {dialog === 'edit' && row && <WebhookDialog webhook={row} onClose={close} />}
        {dialog === 'log' && row && <WebhookLog webhook={row} onClose={close} />}
      </Suspense>
      {dialog === 'delete' && row && <DeleteWebhook row={row} onClose={close} />}
    </Page>
  );
}

function Name({ row }: { row: OutgoingWebhook }) {
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
        overflowWrap="anywhere"
      >
        {hostOf(row.url)}
      </chakra.span>
    </>
  );
}

/** Where events go, without the path: the rest is in the form. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function Events({ row }: { row: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  if (row.events.length === WEBHOOK_EVENTS.length) return <>{t('everyEvent')}</>;
  return (
    <chakra.span textStyle="sm" lineClamp="2">
      {row.events.map((event) => t(`events.${event}`)).join(', ')}
    </chakra.span>
  );
}

function Status({ row }: { row: OutgoingWebhook }) {
  const { t } = useTranslation('webhooks');
  if (row.stoppedBy === 'failures') return <Badge tone="danger">{t('status.stopped')}</Badge>;
  if (!row.isActive) return <Badge tone="neutral">{t('status.off')}</Badge>;
  if (row.failingSince)
    return (
      <Badge tone="waiting" title={formatDateTime(row.failingSince)}>
        {t('status.failing')}
      </Badge>
    );
  return <Badge tone="live">{t('status.on')}</Badge>;
}

function LastDelivery({ row }: { row: OutgoingWebhook }) {
  const { t } = useTranslation('integrations');
  const reason = useReason();
  const { lastDelivery: last } = row;
  if (!last) return <chakra.span color="fg.muted">{t('integrations:last.never')}</chakra.span>;
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" flexWrap="wrap">
      <Badge tone={last.ok ? 'live' : 'danger'} title={reason(last, '') || undefined}>
        {last.ok ? t('integrations:last.ok') : t('integrations:last.failed')}
      </Badge>
      <chakra.span textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        {formatDateTime(last.at)}
      </chakra.span>
    </chakra.span>
  );
}

function DeleteWebhook({ row, onClose }: { row: OutgoingWebhook; onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  const remove = useDeleteWebhook();
  return (
    <ConfirmDelete
      title={t('delete.title', { name: row.name })}
      id={row.id}
      remove={remove}
      done={t('deleted')}
      onClose={onClose}
    >
      {t('delete.text')}
      {row.waiting > 0 && ` ${t('delete.waiting', { count: row.waiting })}`}
    </ConfirmDelete>
  );
}
