import { chakra } from '@chakra-ui/react';
import { ScrollText, Workflow } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { RowName } from '@/components/Cells';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { namesOf, UsedBy } from '@/components/UsedBy';
import { useRecords } from '@/lib/useRecords';
import { integrationPagesQuery, useDeleteIntegration } from './api';
import { useIntegrationEvents } from './events';
import { TYPES } from './integrationTypes';
import { LastDelivery } from './LastDelivery';
import type { Integration } from './types';

const IntegrationDialog = lazy(() =>
  import('./IntegrationDialog').then((file) => ({ default: file.IntegrationDialog })),
);
const DeliveryLog = lazy(() =>
  import('./DeliveryLog').then((file) => ({ default: file.DeliveryLog })),
);

/** The integrations page: each with its type, where it answers and how its last call went. */
export function IntegrationsTable() {
  const { t } = useTranslation(['integrations', 'common']);
  const records = useRecords(integrationPagesQuery);
  const remove = useDeleteIntegration();
  const [logged, setLogged] = useState<Integration | null>(null);
  useIntegrationEvents();
  const add = <AddButton label={t('dialog.add')} onClick={records.add} />;

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
      cell: ({ lastDelivery }) => <LastDelivery last={lastDelivery} />,
    },
  ];

  return (
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Workflow size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={(row) => ({
          name: row.name,
          edit: t('editRow', { name: row.name }),
          remove: t('deleteRow', { name: row.name }),
          more: [
            {
              id: 'log',
              label: t('openLog', { name: row.name }),
              icon: <ScrollText size={16} />,
              onSelect: () => setLogged(row),
            },
          ],
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <IntegrationDialog integration={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name, usedBy: { queues, connections } }) => {
          const count = queues.length + connections.length;
          const used = count > 0 ? ` ${t('delete.used', { count })}` : '';
          return {
            title: t('delete.title', { name }),
            text: t('delete.text') + used,
            done: t('deleted'),
          };
        }}
      />
      <Suspense>
        {logged && <DeliveryLog integration={logged} onClose={() => setLogged(null)} />}
      </Suspense>
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
      <RowName>{row.name}</RowName>
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
