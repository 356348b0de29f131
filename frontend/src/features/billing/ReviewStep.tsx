import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { inReais } from '@/lib/format';
import type { PayerForm } from './schemas';
import type { Invoice, Offer } from './types';

interface ReviewStepProps {
  /** The plan and its price; null for a change of plan, whose price the invoice has. */
  offer: Offer | null;
  invoice: Invoice;
  months: number;
  /** The company's unused credit in reais. */
  credit: number;
  /** What a refund took back of credit that was used. */
  owed: number;
  payer: PayerForm;
  isAvailable: boolean;
}

/** A summary of the payment before it is made. */
export function ReviewStep(props: ReviewStepProps) {
  const { offer, invoice, months, credit, owed, payer, isAvailable } = props;
  const { t } = useTranslation('billing');
  const address = [payer.address2, payer.city, payer.state, payer.zipcode]
    .map((part) => part.trim())
    .filter(Boolean)
    .join(', ');
  const lines = [
    ...(offer
      ? [
          [t('review.plan'), offer.name],
          [t('review.period'), t('review.months', { count: months })],
        ]
      : [[t('columns.detail'), invoice.detail]]),
    ...(payer.firstName.trim() ? [[t('payer.firstName'), payer.firstName]] : []),
    ...(address ? [[t('payer.address2'), address]] : []),
  ];
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.dl display="flex" flexDirection="column" gap="3">
        {lines.map(([term, text]) => (
          <chakra.div key={term} display="flex" justifyContent="space-between" gap="6">
            <chakra.dt textStyle="sm" color="fg.muted" flexShrink="0">
              {term}
            </chakra.dt>
            <chakra.dd textStyle="sm" textAlign="end" overflowWrap="anywhere" minW="0">
              {text}
            </chakra.dd>
          </chakra.div>
        ))}
        <chakra.div
          display="flex"
          justifyContent="space-between"
          gap="6"
          pt="3"
          borderTopWidth="1px"
          fontWeight="semibold"
        >
          <chakra.dt>{t('review.total')}</chakra.dt>
          <chakra.dd fontVariantNumeric="tabular-nums">
            {inReais(offer ? offer.price : invoice.value)}
          </chakra.dd>
        </chakra.div>
      </chakra.dl>
      {invoice.received > 0 && (
        <chakra.p textStyle="sm">
          {t('review.received', { value: inReais(invoice.received) })}
        </chakra.p>
      )}
      {credit > 0 && (
        <chakra.p textStyle="sm">{t('review.credit', { value: inReais(credit) })}</chakra.p>
      )}
      {owed > 0 && <chakra.p textStyle="sm">{t('review.owed', { value: inReais(owed) })}</chakra.p>}
      <chakra.p textStyle="sm" color={isAvailable ? 'fg.muted' : 'status.danger.fg'}>
        {t(isAvailable ? 'review.next' : 'review.unavailable')}
      </chakra.p>
    </chakra.div>
  );
}
