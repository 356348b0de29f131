import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { RadioCards } from '@/components/RadioCards';
import { inReais } from '@/lib/format';
import type { Offer } from './types';

const LABEL = 'checkout-plan';

interface PlanStepProps {
  offers: readonly Offer[];
  /** The company's present plan. */
  ownId: number;
  months: number;
  value: number | undefined;
  onChange: (id: number) => void;
}

/** The plans to choose from, with what each allows and costs. */
export function PlanStep({ offers, ownId, months, value, onChange }: PlanStepProps) {
  const { t } = useTranslation('billing');
  const amount = (key: 'users' | 'connections' | 'queues', count: number) =>
    count === 0 ? t(`plan.unlimited.${key}`) : t(`plan.${key}`, { count });
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
            t('plan.monthly', { price: inReais(offer.value) }),
            ...(months > 1
              ? [t('plan.inAll', { count: months, price: inReais(offer.price) })]
              : []),
            amount('users', offer.users),
            amount('connections', offer.connections),
            amount('queues', offer.queues),
          ].join(' · '),
        }))}
      />
    </div>
  );
}
