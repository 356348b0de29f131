import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { queueUsageQuery, useDeleteQueue } from './api';
import type { Queue, QueueUsage } from './types';

/** In the order of what hurts most. */
const PARTS: readonly (keyof QueueUsage)[] = [
  'tickets',
  'prompts',
  'integrations',
  'connections',
  'options',
  'users',
];

/** Asks before a queue goes, and says what that concerns. */
export function DeleteQueue({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const { t } = useTranslation(['queues', 'common']);
  const usage = useQuery(queueUsageQuery(queue.id));
  const remove = useDeleteQueue();
  const used = PARTS.filter((part) => (usage.data?.[part] ?? 0) > 0);
  return (
    <ConfirmDelete
      title={t('delete.title', { name: queue.name })}
      id={queue.id}
      remove={remove}
      done={t('deleted')}
      onClose={onClose}
    >
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
    </ConfirmDelete>
  );
}
