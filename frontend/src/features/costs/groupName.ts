import type { TFunction } from 'i18next';
import type { CostGroup, Grouping } from './api';

/** The words for a group: its record's name, or what it is where it has none. */
export function groupName(group: CostGroup, groupBy: Grouping, t: TFunction<'costs'>): string {
  const { name, queue, source, origin, category } = group;
  if (groupBy === 'category') return category ? t(`categories.${category}`) : t('noCategory');
  if (groupBy === 'source') {
    if (!origin) return source ? t(`sources.${source}`) : t('noSource');
    const words = t(`origins.${origin}`);
    const record = [queue, name].filter(Boolean).join(' › ');
    return record ? `${words}: ${record}` : words;
  }
  return name ?? t(`none.${groupBy}`);
}
