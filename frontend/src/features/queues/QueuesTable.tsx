import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Layers, Split } from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Badge } from '@/components/Badge';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import type { RowAction } from '@/components/RowActions';
import { formatCount } from '@/lib/format';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecordDialogs } from '@/lib/useRecords';
import { queueKeys, queuesQuery, useDeleteQueue, useMoveQueues } from './api';
import { useQueueEvents } from './events';
import { movedQueues } from './fold';
import { QueueDialog, type BotRehearsal } from './QueueDialog';
import { lacksOf } from './reach';
import { QueueUses } from './QueueUses';
import type { Queue } from './types';

const WORDS = { connection: 'reach.noConnection', attendants: 'reach.noAttendants' } as const;

/** Warnings about a queue that gets no conversations or has no users, and the remedy. */
function Lacks({ queue }: { queue: Queue }) {
  const { t } = useTranslation('queues');
  return lacksOf(queue).map((lack) => {
    const advice = t(`reach.${lack}`, { name: queue.name });
    return (
      <Badge key={lack} tone="waiting" data-tooltip={advice}>
        {t(WORDS[lack])}
        <chakra.span srOnly>. {advice}</chakra.span>
      </Badge>
    );
  });
}

interface QueuesTableProps {
  /** The dialog of a queue's distribution. */
  distribution: (queue: Queue, onClose: () => void) => ReactNode;
  rehearsal?: BotRehearsal;
}

/** The queues page: the company's queues, in the order of the bot's menu. */
export function QueuesTable({ distribution, rehearsal }: QueuesTableProps) {
  // With the texts of a queue's dialog: else it opens first and has its fields later.
  const { t } = useTranslation(['queues', 'common', 'queueBot', 'typebot']);
  const dialogs = useRecordDialogs<Queue>();
  useAddRequest(dialogs.add);
  const client = useQueryClient();
  const list = useQuery({ ...queuesQuery(), refetchOnMount: 'always' });
  const move = useMoveQueues();
  const [distributed, setDistributed] = useState<Queue | null>(null);
  const remove = useDeleteQueue();
  useQueueEvents();
  // The connections and users of a queue change elsewhere.
  const refresh = () => void client.invalidateQueries({ queryKey: queueKeys.all });
  useCompanyEvent('whatsapp', refresh);
  useCompanyEvent('user', refresh);
  const rows = list.data;
  const add = <AddButton label={t('dialog.add')} onClick={dialogs.add} />;

  const columns: Column<Queue>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      width: '24%',
      picture: ({ color }) => (
        <chakra.span
          aria-hidden
          hideFrom="md"
          display="block"
          w="3"
          h="3"
          borderRadius="full"
          style={{ backgroundColor: color }}
        />
      ),
      cell: (queue) => (
        <chakra.span
          display="inline-flex"
          flexWrap={{ base: 'nowrap', md: 'wrap' }}
          alignItems="center"
          gap="2"
        >
          <chakra.span fontWeight="medium">{queue.name}</chakra.span>
          <Lacks queue={queue} />
        </chakra.span>
      ),
    },
    {
      id: 'color',
      header: t('columns.color'),
      width: '140px',
      cell: ({ color }) => (
        <chakra.span display="inline-flex" alignItems="center" gap="2">
          <chakra.span
            aria-hidden
            w="3"
            h="3"
            borderRadius="full"
            flexShrink="0"
            style={{ backgroundColor: color }}
          />
          <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
            {color}
          </chakra.span>
        </chakra.span>
      ),
    },
    {
      id: 'order',
      header: t('columns.order'),
      numeric: true,
      width: '96px',
      cell: ({ orderQueue }) => orderQueue,
    },
    {
      id: 'greeting',
      header: t('columns.greeting'),
      narrow: 'line',
      cell: ({ greetingMessage }) =>
        greetingMessage.trim() ? (
          <chakra.span
            lineClamp={{ base: 1, md: 2 }}
            whiteSpace="normal"
            color="fg.muted"
            title={greetingMessage}
          >
            {greetingMessage}
          </chakra.span>
        ) : (
          <chakra.span color="fg.muted" role="img" aria-label={t('noGreeting')}>
            –
          </chakra.span>
        ),
    },
  ];

  const distributing = (queue: Queue): RowAction => ({
    id: 'distribution',
    label: t('distribution', { name: queue.name }),
    icon: <Split size={16} />,
    onSelect: () => setDistributed(queue),
  });
  const moving = (queue: Queue, by: 1 | -1): RowAction => {
    const moved = movedQueues(rows ?? [], queue.id, by);
    return {
      id: by === -1 ? 'up' : 'down',
      label: t(by === -1 ? 'moveUp' : 'moveDown', { name: queue.name }),
      icon: by === -1 ? <ArrowUp size={16} /> : <ArrowDown size={16} />,
      disabled: moved.length === 0 || move.isPending,
      onSelect: () => move.mutate(moved, { onError: (error) => toast.error(error) }),
    };
  };

  return (
    <Page
      tools={
        rows !== undefined &&
        rows.length > 0 && (
          <chakra.p role="status" textStyle="sm" color="fg.muted">
            {t('count', { count: rows.length, shown: formatCount(rows.length) })}
          </chakra.p>
        )
      }
      action={add}
    >
      <RecordTable
        records={{ ...dialogs, rows, query: list }}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <Layers size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
        }}
        actions={(queue) => ({
          name: queue.name,
          edit: t('editQueue', { name: queue.name }),
          remove: t('deleteQueue', { name: queue.name }),
          more: [
            distributing(queue),
            ...((rows?.length ?? 0) > 1 ? [moving(queue, -1), moving(queue, 1)] : []),
          ],
        })}
      />
      <RecordDialogs
        records={dialogs}
        form={(queue) => (
          <QueueDialog
            id={queue?.id}
            queues={rows ?? []}
            rehearsal={rehearsal}
            onClose={dialogs.close}
          />
        )}
        remove={remove}
        deletion={({ id, name }) => ({
          title: t('delete.title', { name }),
          text: <QueueUses queueId={id} />,
          done: t('deleted'),
        })}
      />
      <Suspense>{distributed && distribution(distributed, () => setDistributed(null))}</Suspense>
    </Page>
  );
}
