import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import { metersQuery } from './api';

/** How much of its free month an official number has used; nothing for other numbers. */
export function FreeLine({ connectionId }: { connectionId: number }) {
  const { t } = useTranslation('costs');
  const { data } = useQuery(metersQuery());
  const meter = data?.meters.find((each) => each.connectionId === connectionId);
  if (!meter || meter.allowance === null) return null;
  const { allowance, service, projectedService } = meter;
  return (
    <chakra.span
      textStyle="xs"
      color={projectedService > allowance ? 'status.waiting.fg' : 'fg.muted'}
      fontVariantNumeric="tabular-nums"
      whiteSpace="nowrap"
    >
      {t('meter.used', {
        count: allowance,
        used: formatCount(Math.min(service, allowance)),
        allowance: formatCount(allowance),
      })}
    </chakra.span>
  );
}
