import { chakra } from '@chakra-ui/react';
import { RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { isDelivered, useRedeliver } from './api';
import { isSigned } from './integrationTypes';
import { LogRow } from './LogRow';
import type { Delivery, Integration } from './types';

interface DeliveryRowProps {
  delivery: Delivery;
  integration: Integration;
}

/** One call of an integration. */
export function DeliveryRow({ delivery, integration }: DeliveryRowProps) {
  const { t } = useTranslation('integrations');
  const redeliver = useRedeliver(integration.id);
  const reason = useReason();
  const resend = () =>
    redeliver.mutate(delivery.id, {
      onSuccess: (again) =>
        isDelivered(again) ? toast.success(t('log.resent')) : toast.warning(t('log.resendFailed')),
      onError: toast.error,
    });
  return (
    <LogRow
      id={delivery.id}
      tone={isDelivered(delivery) ? 'live' : 'danger'}
      outcome={delivery.statusCode ?? t('log.noAnswer')}
      event={delivery.event}
      tries={delivery.attempt > 1 && t('log.attempt', { count: delivery.attempt })}
      when={
        <>
          {t('log.duration', { shown: formatCount(delivery.durationMs) })} ·{' '}
          {formatDateTime(delivery.createdAt)}
        </>
      }
      problem={delivery.error && reason(delivery, delivery.error)}
      action={
        isSigned(integration.type) && (
          <Button
            variant="outline"
            size="sm"
            aria-label={t('log.resend')}
            icon={<RotateCw size={16} />}
            loading={redeliver.isPending}
            onClick={resend}
          >
            {/* Narrow screens need the width for what happened. */}
            <chakra.span hideBelow="sm">{t('log.resend')}</chakra.span>
          </Button>
        )
      }
      address={delivery.url}
      request={delivery.requestBody}
      response={delivery.responseText}
    />
  );
}
