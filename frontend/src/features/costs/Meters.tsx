import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ErrorState, Skeleton } from '@/components/States';
import { formatCount, formatPhone } from '@/lib/format';
import { countryName } from '@/lib/money';
import { amountsText } from './Amounts';
import { metersQuery } from './api';
import { MeterLine } from './MeterLine';
import type { CostMeter } from './types';

/** The official numbers in this month: free messages, what is to be paid, and what lacks. */
export function Meters() {
  const { t } = useTranslation('costs');
  const meters = useQuery(metersQuery());
  if (meters.error && !meters.data)
    return <ErrorState error={meters.error} onRetry={() => void meters.refetch()} />;
  if (meters.data?.meters.length === 0) return null;
  return (
    <chakra.ul
      aria-label={t('meter.list')}
      listStyleType="none"
      m="0"
      p="0"
      flexShrink="0"
      display="grid"
      gap="3"
      gridTemplateColumns="repeat(auto-fill, minmax(min(100%, 320px), 1fr))"
    >
      {meters.data ? (
        meters.data.meters.map((meter) => <Number key={meter.connectionId} meter={meter} />)
      ) : (
        <chakra.li>
          <Skeleton display="block" w="full" h="32" borderRadius="md" />
        </chakra.li>
      )}
    </chakra.ul>
  );
}

function Number({ meter }: { meter: CostMeter }) {
  const { t } = useTranslation('costs');
  const { name, number, amounts, projectedAmounts, lackingPrices } = meter;
  return (
    <chakra.li
      display="flex"
      flexDirection="column"
      gap="3"
      p="4"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      minW="0"
    >
      <chakra.div display="flex" alignItems="baseline" gap="2" minW="0">
        <chakra.h2 textStyle="md" fontWeight="semibold" truncate>
          {name}
        </chakra.h2>
        {number && (
          <chakra.span textStyle="sm" color="fg.muted" whiteSpace="nowrap">
            {formatPhone(number)}
          </chakra.span>
        )}
      </chakra.div>
      <MeterLine meter={meter} />
      <chakra.dl display="grid" gridTemplateColumns="1fr 1fr" gap="3" textStyle="sm">
        {(
          [
            ['soFar', amounts],
            ['atEnd', projectedAmounts],
          ] as const
        ).map(([term, sums]) => (
          <chakra.div key={term} minW="0">
            <chakra.dt color="fg.muted">{t(`meter.${term}`)}</chakra.dt>
            <chakra.dd fontWeight="semibold" fontVariantNumeric="tabular-nums">
              {amountsText(sums)}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
      {lackingPrices.length > 0 && (
        <chakra.div display="flex" gap="2" textStyle="sm" color="status.waiting.fg">
          <chakra.span flexShrink="0" mt="0.5" aria-hidden>
            <TriangleAlert size={16} />
          </chakra.span>
          <chakra.p overflowWrap="anywhere">
            {t('meter.lacking', {
              what: lackingPrices
                .map(({ category, country, messages }) =>
                  t('meter.lack', {
                    category: t(`categories.${category}`, { defaultValue: category }),
                    country: country ? countryName(country) : t('meter.noCountry'),
                    shown: formatCount(messages),
                  }),
                )
                .join('; '),
            })}
          </chakra.p>
        </chakra.div>
      )}
    </chakra.li>
  );
}
