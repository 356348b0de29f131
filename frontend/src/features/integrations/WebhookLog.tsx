import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Select } from '@/components/Select';
import { Segmented } from '@/components/Tabs';
import { formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { LogDialog } from './LogDialog';
import { LogRow } from './LogRow';
import type { OutgoingWebhook, WebhookDelivery } from './types';
import { useRetryDelivery, webhookLogQuery, type LogFilter } from './webhookApi';
import { WEBHOOK_EVENTS } from './webhookSchemas';

interface WebhookLogProps {
  webhook: OutgoingWebhook;
  onClose: () => void;
}

/** Every event for a webhook's address, newest first, as it comes and goes. */
export function WebhookLog({ webhook, onClose }: WebhookLogProps) {
  const { t } = useTranslation(['webhooks', 'integrations']);
  const [filter, setFilter] = useState<LogFilter>({ status: '', event: '' });
  const list = useInfiniteQuery({
    ...webhookLogQuery(webhook.id, filter),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = Boolean(filter.status || filter.event);
  return (
    <LogDialog
      name={webhook.name}
      onClose={onClose}
      list={list}
      filters={
        <>
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
        </>
      }
      empty={{
        title: t(isNarrowed ? 'log.emptyNarrowed' : 'log.empty'),
        ...(!isNarrowed && { text: t('log.emptyText') }),
      }}
      renderRow={(row) => <EventRow key={row.id} row={row} webhook={webhook} />}
    />
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
