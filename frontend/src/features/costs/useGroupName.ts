import { useTranslation } from 'react-i18next';
import type { CostGroup, Grouping } from './api';

/** Returns the words for a group: its record's name, or what it is where it has none. */
export function useGroupName(groupBy: Grouping): (group: CostGroup) => string {
  const { t } = useTranslation('costs');
  return ({ name, queue, source, origin, category }) => {
    if (groupBy === 'category') return category ? t(`categories.${category}`) : t('noCategory');
    if (groupBy !== 'source') return name ?? t(`none.${groupBy}`);
    if (!origin) return source ? t(`sources.${source}`) : t('noSource');
    const record = [queue, name].filter(Boolean).join(' › ');
    return record ? `${t(`origins.${origin}`)}: ${record}` : t(`origins.${origin}`);
  };
}
