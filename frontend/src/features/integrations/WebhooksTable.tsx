import { chakra } from '@chakra-ui/react';
import { ScrollText, Webhook } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { formatCount, formatDateTime } from '@/lib/format';
import { useRecords } from '@/lib/useRecords';
import { LastDelivery } from './LastDelivery';
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

/** The page of outgoing webhooks: each with what it hears and how it fares (rules/automation §11). */
export function WebhooksTable() {
  const { t } = useTranslation(['webhooks', 'integrations', 'common']);
  const records = useRecords(webhookPagesQuery);
  const remove = useDeleteWebhook();
  const [loggedId, setLoggedId] = useState<number | null>(null);
  useWebhookEvents();
  const add = <AddButton label={t('dialog.add')} onClick={records.add} />;
  // As it is now: what the server says of it meanwhile is shown in the dialog too.
  const nowOf = (id: number | null) => records.rows?.find((each) => each.id === id);
  const logged = nowOf(loggedId);

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
      cell: ({ lastDelivery }) => <LastDelivery last={lastDelivery} />,
    },
  ];

  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        isAlarming={({ stoppedBy }) => stoppedBy === 'failures'}
        empty={{
          icon: <Webhook size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={({ id, name }) => ({
          name,
          edit: t('integrations:editRow', { name }),
          remove: t('integrations:deleteRow', { name }),
          more: [
            {
              id: 'log',
              label: t('integrations:openLog', { name }),
              icon: <ScrollText size={16} />,
              onSelect: () => setLoggedId(id),
            },
          ],
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) =>
          (!row || nowOf(row.id)) && (
            <WebhookDialog webhook={row && nowOf(row.id)} onClose={records.close} />
          )
        }
        remove={remove}
        deletion={({ id }) => {
          const webhook = nowOf(id);
          if (!webhook) return undefined;
          const { name, waiting: count } = webhook;
          const waiting = count > 0 ? ` ${t('delete.waiting', { count })}` : '';
          return {
            title: t('delete.title', { name }),
            text: t('delete.text') + waiting,
            done: t('deleted'),
          };
        }}
      />
      <Suspense>
        {logged && <WebhookLog webhook={logged} onClose={() => setLoggedId(null)} />}
      </Suspense>
    </Page>
  );
}

function Name({ row }: { row: OutgoingWebhook }) {
  return (
    <>
      <RowName>{row.name}</RowName>
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
