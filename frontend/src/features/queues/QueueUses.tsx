import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { queueUsageQuery } from './api';
import type { QueueUsage } from './types';

/** In the order of importance. */
const PARTS: readonly (keyof QueueUsage)[] = [
  'tickets',
  'prompts',
  'integrations',
  'connections',
  'options',
  'deadlines',
  'users',
];

/** What the deletion of a queue affects. */
export function QueueUses({ queueId }: { queueId: number }) {
  const { t } = useTranslation('queues');
  const usage = useQuery(queueUsageQuery(queueId));
  const used = PARTS.filter((part) => (usage.data?.[part] ?? 0) > 0);
  return (
    <chakra.div aria-live="polite" display="flex" flexDirection="column" gap="2">
      {usage.isPending && <Skeleton display="block" h="3" w="60%" />}
      {usage.isSuccess && used.length === 0 && <chakra.p>{t('delete.unused')}</chakra.p>}
      {usage.data && used.length > 0 && (
        <chakra.ul display="flex" flexDirection="column" gap="1" ps="4" listStyleType="disc">
          {used.map((part) => (
            <li key={part}>
              {t(`delete.${part}`, {
                count: usage.data[part],
                shown: formatCount(usage.data[part]),
              })}
            </li>
          ))}
        </chakra.ul>
      )}
      <chakra.p>{t('delete.undo')}</chakra.p>
    </chakra.div>
  );
}
