import { chakra } from '@chakra-ui/react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Paperclip, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { DataTable, type Column } from '@/components/DataTable';
import { RowActions } from '@/components/RowActions';
import { formatDateTime, formatTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { useRetrySchedule } from './api';
import { StatusBadge } from './StatusBadge';
import type { Schedule, SchedulePage } from './types';

interface ScheduleListProps {
  list: UseInfiniteQueryResult<InfiniteData<SchedulePage>>;
  empty: ReactNode;
  onEdit: (schedule: Schedule) => void;
  onDelete: (schedule: Schedule) => void;
}

/** Schedules as a table: message, recipient, time and outcome. */
export function ScheduleList({ list, empty, onEdit, onDelete }: ScheduleListProps) {
  const { t } = useTranslation(['schedules', 'common']);
  const reason = useReason();
  const retry = useRetrySchedule();
  const columns: Column<Schedule>[] = [
    {
      id: 'contact',
      header: t('columns.contact'),
      primary: true,
      width: '24%',
      picture: ({ contact }) => (
        <Avatar name={contact.name} src={contact.profilePicUrl} size={32} />
      ),
      cell: ({ contact }) => (
        <chakra.span lineClamp={{ base: 1, md: 2 }} whiteSpace="normal">
          {contact.name}
        </chakra.span>
      ),
    },
    {
      id: 'body',
      header: t('columns.body'),
      width: '36%',
      cell: (schedule) => (
        <chakra.span display="flex" alignItems="flex-start" gap="1.5" color="fg.muted">
          {schedule.mediaName && (
            <chakra.span
              display="flex"
              flexShrink="0"
              mt="0.5"
              title={schedule.mediaName}
              aria-label={t('withFile', { name: schedule.mediaName })}
              role="img"
            >
              <Paperclip size={16} />
            </chakra.span>
          )}
          <chakra.span lineClamp="2">{schedule.body}</chakra.span>
        </chakra.span>
      ),
    },
    {
      id: 'sendAt',
      header: t('columns.sendAt'),
      narrow: 'line',
      cell: ({ sendAt }) => (
        <chakra.span whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
          {formatDateTime(sendAt)}
        </chakra.span>
      ),
    },
    {
      id: 'status',
      header: t('columns.status'),
      narrow: 'line',
      cell: (schedule) => (
        <chakra.span display="flex" flexDirection="column" alignItems="flex-start" gap="1">
          <StatusBadge status={schedule.status} />
          {schedule.status === 'ERRO' && (
            <chakra.span
              hideBelow="md"
              textStyle="xs"
              color="status.danger.fg"
              maxW="36ch"
              lineClamp="2"
            >
              {reason(schedule, schedule.errorReason)}
            </chakra.span>
          )}
        </chakra.span>
      ),
    },
    {
      id: 'user',
      header: t('columns.user'),
      cell: ({ user }) => <chakra.span whiteSpace="nowrap">{user?.name ?? '–'}</chakra.span>,
    },
  ];
  return (
    <DataTable
      label={t('label')}
      columns={columns}
      rows={list.data?.pages.flatMap(({ schedules }) => schedules)}
      query={list}
      onRowClick={onEdit}
      empty={empty}
      actions={(schedule) => {
        const names = { name: schedule.contact.name, time: formatTime(schedule.sendAt) };
        return (
          <RowActions
            name={schedule.contact.name}
            more={
              schedule.status === 'ERRO'
                ? [
                    {
                      id: 'retry',
                      label: t('event.retry', names),
                      icon: <RotateCw size={16} />,
                      loading: retry.isPending && retry.variables === schedule.id,
                      onSelect: () =>
                        retry.mutate(schedule.id, {
                          onSuccess: () => toast.success(t('retried')),
                          onError: toast.error,
                        }),
                    },
                  ]
                : []
            }
            editLabel={t('event.edit', names)}
            onEdit={() => onEdit(schedule)}
            deleteLabel={t('event.delete', names)}
            onDelete={() => onDelete(schedule)}
          />
        );
      }}
    />
  );
}
