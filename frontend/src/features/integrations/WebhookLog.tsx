import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Select } from '@/components/Select';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { Segmented } from '@/components/Tabs';
import { formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { LogRow } from './LogRow';
import type { OutgoingWebhook, WebhookDelivery } from './types';
import { eventsOf, useRetryDelivery, webhookLogQuery, type LogFilter } from './webhookApi';
import { WEBHOOK_EVENTS } from './webhookSchemas';

interface WebhookLogProps {
  webhook: OutgoingWebhook;
  onClose: () => void;
}

/** Every event for a webhook's address, newest first, as it comes and goes. */
export function WebhookLog({ webhook, onClose }: WebhookLogProps) {
  const { t } = useTranslation(['webhooks', 'integrations', 'common']);
  const [filter, setFilter] = useState<LogFilter>({ status: '', event: '' });
  const list = useInfiniteQuery({
    ...webhookLogQuery(webhook.id, filter),
    placeholderData: keepPreviousData,
  });
  const rows = list.data && eventsOf(list.data);
  const isNarrowed = Boolean(filter.status || filter.event);
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={t('integrations:log.title', { name: webhook.name })}
      footer={
        <Button variant="outline" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="3" minH="360px">
        <chakra.div
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          gap="2"
          flexWrap="wrap"
        >
          <Segmented
            aria-label={t('log.status')}
            value={filter.status}
            onChange={(status) => setFilter({ ...filter, status })}
            tabs={[
              { value: '', label: t('integrations:log.all') },
              { value: 'waiting', label: t('log.waiting') },
              { value: 'failed', label: t('integrations:log.failed') },
              { value: 'delivered', label: t('integrations:log.ok') },
            ]}
          />
          <chakra.div minW="200px">
            <Select
              aria-label={t('log.event')}
              value={filter.event}
              onChange={({ target }) =>
                setFilter({ ...filter, event: target.value as LogFilter['event'] })
              }
              options={[
                { value: '', label: t('log.anyEvent') },
                ...WEBHOOK_EVENTS.map((event) => ({ value: event, label: t(`events.${event}`) })),
              ]}
            />
          </chakra.div>
        </chakra.div>
        {list.error && !rows ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : !rows ? (
          <chakra.div role="status" aria-label={t('common:loading')} display="grid" gap="2">
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} display="block" h="11" borderRadius="md" />
            ))}
          </chakra.div>
        ) : rows.length === 0 ? (
          <EmptyState
            icon={<ScrollText size={20} />}
            title={t(isNarrowed ? 'log.emptyNarrowed' : 'log.empty')}
            {...(!isNarrowed && { text: t('log.emptyText') })}
          />
        ) : (
          <chakra.ul display="flex" flexDirection="column" gap="2">
            {rows.map((row) => (
              <EventRow key={row.id} row={row} webhook={webhook} />
            ))}
          </chakra.ul>
        )}
        {list.hasNextPage && (
          <Button
            variant="outline"
            size="sm"
            alignSelf="center"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('integrations:log.loadMore')}
          </Button>
        )}
      </chakra.div>
    </Dialog>
  );
}

const TONES = { delivered: 'live', failed: 'danger', waiting: 'waiting' } as const;

function EventRow({ row, webhook }: { row: WebhookDelivery; webhook: OutgoingWebhook }) {
  const { t } = useTranslation(['webhooks', 'integrations']);
  const reason = useReason();
  const retry = useRetryDelivery(webhook.id);
  const isUntried = row.attempts === 0;
  const isToCome = row.status === 'waiting' && !isUntried && webhook.isActive;
  const next =
    isToCome && row.nextAttemptAt
      ? t('log.next', { at: formatDateTime(row.nextAttemptAt) })
      : undefined;
  const took = isUntried
    ? ''
    : `${t('integrations:log.duration', { shown: formatCount(row.durationMs) })} · `;
  const label = t(row.status === 'waiting' ? 'log.tryNow' : 'integrations:log.resend');
  const resend = () =>
    retry.mutate(row.id, {
      onSuccess: () => toast.success(t('log.asked')),
      onError: toast.error,
    });
  return (
    <LogRow
      id={row.id}
      tone={TONES[row.status]}
      outcome={isUntried ? t('log.untried') : (row.statusCode ?? t('integrations:log.noAnswer'))}
      event={t(`events.${row.event}`)}
      tries={row.attempts > 1 && t('integrations:log.attempt', { count: row.attempts })}
      when={next ?? `${took}${formatDateTime(row.createdAt)}`}
      problem={row.reasonCode && reason(row, row.reasonCode)}
      action={
        webhook.isActive &&
        !(row.status === 'waiting' && isUntried) && (
          <Button
            variant="outline"
            size="sm"
            aria-label={label}
            icon={<RotateCw size={16} />}
            loading={retry.isPending}
            onClick={resend}
          >
            {/* Narrow screens need the width for what happened. */}
            <chakra.span hideBelow="sm">{label}</chakra.span>
          </Button>
        )
      }
      address={webhook.url}
      request={row.requestBody}
      response={row.responseText}
    />
  );
}
