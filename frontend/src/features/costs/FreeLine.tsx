import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import { metersQuery } from './api';

/** How much of its free month an official number has used and will use; nothing for other numbers. */
export function FreeLine({ connectionId }: { connectionId: number }) {
  const { t } = useTranslation('costs');
  const { data } = useQuery(metersQuery());
  const meter = data?.meters.find((each) => each.connectionId === connectionId);
  if (!meter) return null;
  const { allowance, service, projectedService } = meter;
  if (allowance === null && projectedService === 0) return null;
  return (
    <chakra.span
      textStyle="xs"
      color={allowance !== null && projectedService > allowance ? 'status.waiting.fg' : 'fg.muted'}
      fontVariantNumeric="tabular-nums"
      minW="0"
    >
      <chakra.span display="block" truncate>
        {allowance === null
          ? t('meter.counted', { count: service, shown: formatCount(service) })
          : t('meter.used', {
              count: allowance,
              used: formatCount(Math.min(service, allowance)),
              allowance: formatCount(allowance),
            })}
      </chakra.span>
      {/* A narrow row has one line. */}
      <chakra.span
        display="none"
        whiteSpace="nowrap"
        css={{ '@media (min-width: 900px)': { display: 'block' } }}
      >
        {t('meter.untilEnd', { shown: formatCount(projectedService) })}
      </chakra.span>
    </chakra.span>
  );
}
