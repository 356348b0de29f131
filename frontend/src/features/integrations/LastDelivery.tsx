import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Reason } from '@/lib/api/errors';
import { formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';

interface LastDeliveryProps {
  last: (Reason & { ok: boolean; at: string; error?: string }) | null;
}

/** How the last call went, and when. */
export function LastDelivery({ last }: LastDeliveryProps) {
  const { t } = useTranslation('integrations');
  const reason = useReason();
  if (!last) return <chakra.span color="fg.muted">{t('last.never')}</chakra.span>;
  return (
    <chakra.span display="inline-flex" alignItems="center" gap="2" flexWrap="wrap">
      <Badge tone={last.ok ? 'live' : 'danger'} title={reason(last, last.error ?? '') || undefined}>
        {last.ok ? t('last.ok') : t('last.failed')}
      </Badge>
      <chakra.span textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        {formatDateTime(last.at)}
      </chakra.span>
    </chakra.span>
  );
}
