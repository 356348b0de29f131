import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import { money } from '@/lib/money';
import type { Amount, CostFigures } from './types';

/** Sums of money as text, one for each currency; '–' where nothing is to be paid. */
export const amountsText = (amounts: readonly Amount[]) =>
  amounts.map(({ amount, currency }) => money(amount, currency)).join(' + ') || '–';

/** What is to be paid, and below it what has no price yet. */
export function Cost({ figures }: { figures: CostFigures }) {
  const { t } = useTranslation('costs');
  const { amounts, unpriced } = figures;
  return (
    <chakra.span display="inline-flex" flexDirection="column" fontVariantNumeric="tabular-nums">
      {(amounts.length > 0 || unpriced === 0) && amountsText(amounts)}
      {unpriced > 0 && (
        <chakra.span textStyle="xs" color="status.waiting.fg">
          {t('unpriced', { count: unpriced, shown: formatCount(unpriced) })}
        </chakra.span>
      )}
    </chakra.span>
  );
}
