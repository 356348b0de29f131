import { chakra } from '@chakra-ui/react';
import { ChevronDown, ChevronRight, RotateCw } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { isDelivered, useRedeliver } from './api';
import { isSigned } from './integrationTypes';
import type { Delivery, Integration } from './types';

interface DeliveryRowProps {
  delivery: Delivery;
  integration: Integration;
}

/** One call: how it went in a line, and opened, what was sent and what came back. */
export function DeliveryRow({ delivery, integration }: DeliveryRowProps) {
  const { t } = useTranslation('integrations');
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const redeliver = useRedeliver(integration.id);
  const reason = useReason();
  const ok = isDelivered(delivery);
  const resend = () =>
    redeliver.mutate(delivery.id, {
      onSuccess: (again) =>
        isDelivered(again) ? toast.success(t('log.resent')) : toast.warning(t('log.resendFailed')),
      onError: toast.error,
    });
  return (
    <chakra.li borderWidth="1px" borderRadius="md" bg="bg.surface">
      <chakra.div display="flex" alignItems="center" gap="2" pe="2">
        <chakra.button
          type="button"
          flex="1"
          minW="0"
          display="flex"
          alignItems="center"
          gap="2"
          minH="11"
          px="3"
          py="1.5"
          textStyle="sm"
          textAlign="start"
          cursor="pointer"
          borderRadius="md"
          _hover={{ bg: 'bg.hover' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          <chakra.span flexShrink="0">
            {isOpen ? (
              <ChevronDown size={16} aria-hidden />
            ) : (
              <ChevronRight size={16} aria-hidden />
            )}
          </chakra.span>
          <chakra.span
            flex="1"
            minW="0"
            display="flex"
            alignItems="center"
            flexWrap="wrap"
            columnGap="2"
            rowGap="0.5"
          >
            <chakra.span display="flex" alignItems="center" gap="2" minW="0" maxW="full">
              <Badge tone={ok ? 'live' : 'danger'}>
                {delivery.statusCode ?? t('log.noAnswer')}
              </Badge>
              <chakra.span fontWeight="medium" truncate>
                {delivery.event}
              </chakra.span>
            </chakra.span>
            <chakra.span
              flex="1"
              minW={{ base: 'full', sm: 'auto' }}
              display="flex"
              gap="2"
              justifyContent="space-between"
              textStyle="xs"
              color="fg.muted"
              fontVariantNumeric="tabular-nums"
              whiteSpace="nowrap"
            >
              <span>{delivery.attempt > 1 && t('log.attempt', { count: delivery.attempt })}</span>
              <chakra.span order={{ base: '-1', sm: '0' }} truncate>
                {t('log.duration', { shown: formatCount(delivery.durationMs) })} ·{' '}
                {formatDateTime(delivery.createdAt)}
              </chakra.span>
            </chakra.span>
            {delivery.error && (
              <chakra.span
                // Two lines on a narrow screen, until it is opened.
                display={{ base: isOpen ? 'block' : 'none', sm: 'block' }}
                w="full"
                textStyle="xs"
                color="status.danger.fg"
                overflowWrap="anywhere"
              >
                {reason(delivery, delivery.error)}
              </chakra.span>
            )}
          </chakra.span>
        </chakra.button>
        {isSigned(integration.type) && (
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
        )}
      </chakra.div>
      {isOpen && (
        <chakra.div
          id={panelId}
          role="region"
          aria-label={t('log.details', { id: delivery.id })}
          display="grid"
          gap="3"
          p="3"
          borderTopWidth="1px"
        >
          <chakra.p textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {delivery.url}
          </chakra.p>
          <Part label={t('log.request')} text={JSON.stringify(delivery.requestBody, null, 2)} />
          <Part label={t('log.response')} text={readable(delivery.responseText)} />
        </chakra.div>
      )}
    </chakra.li>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('integrations');
  return (
    <chakra.section minW="0">
      <chakra.h3 textStyle="xs" fontWeight="semibold" mb="1">
        {label}
      </chakra.h3>
      {text ? (
        <CopyLine block wrap text={text} label={t('log.copy')} />
      ) : (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('log.noBody')}
        </chakra.p>
      )}
    </chakra.section>
  );
}

/** JSON with its lines; anything else as it came. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
