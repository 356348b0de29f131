import { useTranslation } from 'react-i18next';
import type { Campaign } from './types';

/** What a campaign takes its people from, in words: 'Clientes, tag VIP'; '' for nothing. */
export function useSources() {
  const { t } = useTranslation('campaigns');
  return ({ sources }: Pick<Campaign, 'sources'>) =>
    sources
      .map(({ kind, name }) => (kind === 'list' ? name : t(`sources.${kind}`, { name })))
      .join(', ');
}
