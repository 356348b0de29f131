import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { RadioCards } from '@/components/RadioCards';
import { inReais } from '@/lib/format';
import { usePlanWords } from '@/lib/planWords';
import type { Offer } from './types';

const LABEL = 'checkout-plan';

interface PlanStepProps {
  offers: readonly Offer[];
  /** The id of the company's current plan. */
  ownId: number;
  months: number;
  value: number | undefined;
  onChange: (id: number) => void;
}

/** The available plans, with limits and prices. */
export function PlanStep({ offers, ownId, months, value, onChange }: PlanStepProps) {
  const { t } = useTranslation('billing');
  const words = usePlanWords();
  return (
    <div>
      <chakra.p id={LABEL} mb="3" textStyle="sm" color="fg.muted">
        {t('plan.choose')}
      </chakra.p>
      <RadioCards
        name="plan"
        labelledBy={LABEL}
        describedBy={LABEL}
        most={2}
        value={String(value)}
        onChange={(id) => onChange(Number(id))}
        choices={offers.map((offer) => ({
          value: String(offer.id),
          label: offer.id === ownId ? t('plan.own', { name: offer.name }) : offer.name,
          help: [
            words.price(offer),
            ...(months > 1
              ? [t('plan.inAll', { count: months, price: inReais(offer.price) })]
              : []),
            ...words.amounts(offer),
          ].join(' · '),
        }))}
      />
    </div>
  );
}
