import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { BotMessageSquare } from 'lucide-react';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { Skeleton } from '@/components/States';
import { namesOf, UsedBy } from '@/components/UsedBy';
import { formatCount } from '@/lib/format';
import { useRecords } from '@/lib/useRecords';
import { promptPagesQuery, promptUsageQuery, useDeletePrompt } from './api';
import { usePromptEvents } from './events';
import type { Prompt, PromptUsage } from './types';

const PromptDialog = lazy(() =>
  import('./PromptDialog').then((file) => ({ default: file.PromptDialog })),
);

/** The prompts page: each prompt with its queue, where it is used, and its usage this month. */
export function PromptsTable() {
  const { t } = useTranslation(['prompts', 'common']);
  const records = useRecords(promptPagesQuery);
  const remove = useDeletePrompt();
  const usage = useQuery(promptUsageQuery());
  usePromptEvents();
  const add = <AddButton label={t('dialog.add')} onClick={records.add} />;

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
    <Page tools={<SearchInput label={t('search')} {...records.searching} />} action={add}>
      {usage.data && usage.data.answers > 0 && <Total usage={usage.data} />}
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <BotMessageSquare size={20} />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: add,
          search: t('empty.search', { text: records.search }),
        }}
        actions={({ name }) => ({
          name,
          edit: t('editRow', { name }),
          remove: t('deleteRow', { name }),
        })}
      />
      <RecordDialogs
        records={records}
        form={(row) => <PromptDialog prompt={row} onClose={records.close} />}
        remove={remove}
        deletion={({ name, usedBy: { queues, connections } }) => {
          const count = queues.length + connections.length;
          return {
            title: t('delete.title', { name }),
            text: count === 0 ? t('delete.unused') : t('delete.text', { count }),
            done: t('deleted'),
          };
        }}
      />
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
