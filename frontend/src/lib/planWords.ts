import { useTranslation } from 'react-i18next';
import type { Plan } from '@/lib/api/types';
import { inReais } from '@/lib/format';
import type { PlanFlag } from '@/lib/permissions';

type Amounts = Pick<Plan, 'value' | 'users' | 'connections' | 'queues'>;

const FLAGS: readonly PlanFlag[] = [
  'useCampaigns',
  'useSchedules',
  'useKanban',
  'useInternalChat',
  'useOpenAi',
  'useIntegrations',
  'useExternalApi',
];

/** The price and contents of a plan, in words. */
export function usePlanWords() {
  const { t } = useTranslation('billing');
  const amount = (key: 'users' | 'connections' | 'queues', count: number) =>
    count === 0 ? t(`plan.unlimited.${key}`) : t(`plan.${key}`, { count });
  return {
    price: ({ value }: Pick<Plan, 'value'>) =>
      value === 0 ? t('plan.free') : t('plan.monthly', { price: inReais(value) }),
    amounts: ({ users, connections, queues }: Omit<Amounts, 'value'>) => [
      amount('users', users),
      amount('connections', connections),
      amount('queues', queues),
    ],
    features: (plan: Pick<Plan, PlanFlag>) =>
      FLAGS.filter((flag) => plan[flag]).map((flag) => t(`plan.features.${flag}`)),
  };
}
