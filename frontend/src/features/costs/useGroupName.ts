import { useTranslation } from 'react-i18next';
import type { AutomaticText, CostGroup, Grouping } from './api';

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

/** Returns the words for a text that the bot writes of itself. */
export function useTextName(): (text: AutomaticText) => string {
  const { t } = useTranslation('costs');
  return ({ name, queue, origin }) =>
    [t(`automatic.names.${origin}`), [queue, name].filter(Boolean).join(' › ')]
      .filter(Boolean)
      .join(': ');
}
