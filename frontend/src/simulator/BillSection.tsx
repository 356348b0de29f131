import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import type { Bill } from './api';

/** What Meta counts of the number's delivered messages of this month. */
export function BillSection({ bill }: { bill: Bill }) {
  const { t } = useTranslation('simulator');
  const { service = 0, ...others } = bill.charged;
  const lines: [string, string][] = [
    [
      t('bill.categories.service'),
      t('bill.ofAllowance', { count: service, allowance: formatCount(bill.allowance) }),
    ],
    ...Object.entries(others).map(([category, count]): [string, string] => [
      t(`bill.categories.${category}`, { defaultValue: category }),
      formatCount(count),
    ]),
    ...(bill.free ? [[t('bill.free'), formatCount(bill.free)] as [string, string]] : []),
  ];
  return (
    <chakra.section aria-label={t('bill.title')} data-testid="bill" pt="3" borderTopWidth="1px">
      <chakra.h3 fontSize="sm" fontWeight="semibold">
        {t('bill.title')}
      </chakra.h3>
      <chakra.dl mt="1" display="grid" gap="1" fontSize="sm">
        {lines.map(([label, value]) => (
          <chakra.div key={label} display="flex" justifyContent="space-between" gap="3">
            <chakra.dt color="fg.muted">{label}</chakra.dt>
            <chakra.dd textAlign="end" fontVariantNumeric="tabular-nums">
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </chakra.section>
  );
}
