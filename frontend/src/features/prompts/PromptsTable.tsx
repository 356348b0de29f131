import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { BotMessageSquare } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, Skeleton } from '@/components/States';
import { namesOf, UsedBy } from '@/components/UsedBy';
import { formatCount } from '@/lib/format';
import { promptPagesQuery, promptUsageQuery, useDeletePrompt } from './api';
import { usePromptEvents } from './events';
import type { Prompt, PromptUsage } from './types';

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
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;

  const columns: Column<Prompt>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      cell: ({ name }) => <chakra.span fontWeight="semibold">{name}</chakra.span>,
    },
    { id: 'queue', header: t('columns.queue'), narrow: 'line', cell: ({ queue }) => queue.name },
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
      narrow: 'line',
      numeric: true,
      width: '160px',
      cell: (row) => <Cost id={row.id} usage={usage.data} failed={usage.isError} />,
    },
  ];

  return (
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      {usage.data && usage.data.answers > 0 && <Total usage={usage.data} />}
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.rows}
        query={list}
        onRowClick={(row) => setOpen({ dialog: 'edit', row })}
        empty={
          <EmptyState
            icon={<BotMessageSquare size={20} />}
            title={search ? t('empty.search', { text: search }) : t('empty.title')}
            {...(!search && { text: t('empty.text'), action: add })}
          />
        }
        actions={(row) => (
          <RowActions
            name={row.name}
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

function Uses({ row }: { row: Prompt }) {
  const { t } = useTranslation('prompts');
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

function DeletePrompt({ row, onClose }: { row: Prompt; onClose: () => void }) {
  const { t } = useTranslation(['prompts', 'common']);
  const remove = useDeletePrompt();
  const count = row.usedBy.queues.length + row.usedBy.connections.length;
  return (
    <ConfirmDelete
      title={t('delete.title', { name: row.name })}
      id={row.id}
      remove={remove}
      done={t('deleted')}
      onClose={onClose}
    >
      {count === 0 ? t('delete.unused') : t('delete.text', { count })}
    </ConfirmDelete>
  );
}
