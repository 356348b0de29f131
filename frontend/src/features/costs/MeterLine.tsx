import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import type { CostMeter } from './types';

/** The free service messages of a number's month: a bar, and the same in words. */
export function MeterLine({ meter }: { meter: CostMeter }) {
  const { t } = useTranslation('costs');
  const { service, allowance, projectedService } = meter;
  if (allowance === null)
    return (
      <chakra.p textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
        {t('meter.noAllowance', { count: service, shown: formatCount(service) })}
      </chakra.p>
    );
  const share = (count: number) => `${allowance ? Math.min(100, (count / allowance) * 100) : 100}%`;
  const isBeyond = service > allowance;
  const willBeBeyond = projectedService > allowance;
  const words = t('meter.used', {
    count: allowance,
    used: formatCount(Math.min(service, allowance)),
    allowance: formatCount(allowance),
  });
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" minW="0">
      <chakra.p textStyle="sm" fontWeight="medium" fontVariantNumeric="tabular-nums">
        {words}
      </chakra.p>
      <chakra.div
        role="meter"
        aria-label={t('meter.label')}
        aria-valuemin={0}
        aria-valuemax={allowance}
        aria-valuenow={Math.min(service, allowance)}
        aria-valuetext={words}
        position="relative"
        h="2"
        borderRadius="full"
        bg="bg.subtle"
        overflow="hidden"
      >
        <chakra.span
          position="absolute"
          inset="0"
          borderRadius="full"
          bg={willBeBeyond ? 'status.waiting.subtle' : 'brand.subtle'}
          style={{ width: share(projectedService) }}
        />
        <chakra.span
          position="absolute"
          inset="0"
          borderRadius="full"
          bg={isBeyond ? 'status.waiting.solid' : 'brand.solid'}
          style={{ width: share(service) }}
        />
      </chakra.div>
      <chakra.p
        textStyle="xs"
        color={willBeBeyond ? 'status.waiting.fg' : 'fg.muted'}
        fontVariantNumeric="tabular-nums"
      >
        {isBeyond
          ? t('meter.beyond', {
              count: service - allowance,
              shown: formatCount(service - allowance),
            })
          : t(willBeBeyond ? 'meter.willBeBeyond' : 'meter.willBe', {
              count: projectedService,
              shown: formatCount(projectedService),
            })}
      </chakra.p>
    </chakra.div>
  );
}
