import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BotMessageSquare, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DataTable, type Column } from '@/components/DataTable';
import { ConfirmDialog } from '@/components/Dialog';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import {
  promptPagesQuery,
  promptsOf,
  promptUsageQuery,
  useDeletePrompt,
  type Prompt,
  type PromptUsage,
} from './api';
import { usePromptEvents } from './events';

const PromptDialog = lazy(() =>
  import('./PromptDialog').then((file) => ({ default: file.PromptDialog })),
);

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete'; row: Prompt };

/** The prompts page: each with its queue, where it answers and what it cost this month. */
export function PromptsTable() {
  const { t } = useTranslation(['prompts', 'common']);
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const list = useInfiniteQuery({
    ...promptPagesQuery(search),
    placeholderData: keepPreviousData,
  });
  const usage = useQuery(promptUsageQuery());
  usePromptEvents();
  const close = () => setOpen(null);
  const rows = list.data && promptsOf(list.data);
  const add = (
    <Button icon={<Plus size={16} />} onClick={() => setOpen({ dialog: 'add' })}>
      {t('dialog.add')}
    </Button>
  );

  const columns: Column<Prompt>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <chakra.span fontWeight="semibold">{name}</chakra.span>,
    },
    { id: 'queue', header: t('columns.queue'), cell: ({ queue }) => queue.name },
    { id: 'uses', header: t('columns.usedBy'), cell: (row) => <Uses row={row} /> },
    {
      id: 'maxTokens',
      header: t('columns.maxTokens'),
      numeric: true,
      width: '140px',
      cell: ({ maxTokens }) => formatCount(maxTokens),
    },
    {
      id: 'usage',
      header: t('columns.usage'),
      numeric: true,
      width: '160px',
      cell: (row) => <Cost id={row.id} usage={usage.data} failed={usage.isError} />,
    },
  ];

  return (
    <Page
      tools={
        <SearchInput
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onSearch={setSearch}
        />
      }
      action={add}
    >
      {usage.data && usage.data.answers > 0 && <Total usage={usage.data} />}
      <DataTable
        label={t('label')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        onRowClick={(row) => setOpen({ dialog: 'edit', row })}
        error={list.error}
        onRetry={() => void list.refetch()}
        hasMore={list.hasNextPage}
        loadingMore={list.isFetchingNextPage}
        onLoadMore={() => void list.fetchNextPage()}
        empty={
          <EmptyState
            icon={<BotMessageSquare size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            editLabel={t('editRow', { name: row.name })}
            onEdit={() => setOpen({ dialog: 'edit', row })}
            deleteLabel={t('deleteRow', { name: row.name })}
            onDelete={() => setOpen({ dialog: 'delete', row })}
          />
        )}
      />
      <Suspense>
        {open?.dialog === 'add' && <PromptDialog onClose={close} />}
        {open?.dialog === 'edit' && <PromptDialog prompt={open.row} onClose={close} />}
      </Suspense>
      {open?.dialog === 'delete' && <DeletePrompt row={open.row} onClose={close} />}
    </Page>
  );
}

function Total({ usage }: { usage: PromptUsage }) {
  const { t } = useTranslation('prompts');
  const { answers, totalTokens, todayTokens, dailyLimit } = usage;
  return (
    <chakra.p role="status" textStyle="sm" color="fg.muted" my="-1">
      {t('usage.total', {
        count: answers,
        answers: formatCount(answers),
        tokens: formatCount(totalTokens),
      })}
      {dailyLimit > 0 &&
        ` ${t('usage.today', { tokens: formatCount(todayTokens), limit: formatCount(dailyLimit) })}`}
    </chakra.p>
  );
}

function Cost(props: { id: number; usage: PromptUsage | undefined; failed: boolean }) {
  const { t } = useTranslation('prompts');
  if (props.failed)
    return (
      <span role="img" aria-label={t('usage.unknown')}>
        –
      </span>
    );
  if (!props.usage) return <Skeleton display="inline-block" h="3" w="12" />;
  const row = props.usage.prompts.find(({ promptId }) => promptId === props.id);
  return (
    <chakra.span
      title={
        row &&
        t('usage.row', {
          count: row.answers,
          answers: formatCount(row.answers),
          asked: formatCount(row.promptTokens),
          answered: formatCount(row.completionTokens),
        })
      }
    >
      {formatCount(row?.totalTokens ?? 0)}
    </chakra.span>
  );
}

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(', ');

function Uses({ row }: { row: Prompt }) {
  const { t } = useTranslation('prompts');
  const { queues, connections } = row.usedBy;
  if (queues.length + connections.length === 0)
    return <chakra.span color="fg.muted">{t('unused')}</chakra.span>;
  return (
    <chakra.span display="flex" flexDirection="column" minW="0">
      {queues.length > 0 && (
        <span>{t('usedByQueues', { count: queues.length, names: namesOf(queues) })}</span>
      )}
      {connections.length > 0 && (
        <span>
          {t('usedByConnections', { count: connections.length, names: namesOf(connections) })}
        </span>
      )}
    </chakra.span>
  );
}

function DeletePrompt({ row, onClose }: { row: Prompt; onClose: () => void }) {
  const { t } = useTranslation(['prompts', 'common']);
  const remove = useDeletePrompt();
  const count = row.usedBy.queues.length + row.usedBy.connections.length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('delete.title', { name: row.name })}
      confirmLabel={t('common:actions.delete')}
      loading={remove.isPending}
      onConfirm={() =>
        remove.mutate(row.id, {
          onSuccess: () => toast.success(t('deleted')),
          onError: (error) => toast.error(error),
          onSettled: onClose,
        })
      }
    >
      {count === 0 ? t('delete.unused') : t('delete.text', { count })}
    </ConfirmDialog>
  );
}
