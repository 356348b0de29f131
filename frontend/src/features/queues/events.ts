import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { queueKeys, type Queue } from './api';
import { foldQueues, type QueueEvent } from './fold';

/** Lists whose rows name queues; a deleted one leaves them. */
const NAMING_QUEUES = ['connections', 'users', 'prompts'];

/** Folds one queue event into the cached list. */
export function applyQueueEvent(client: QueryClient, event: QueueEvent) {
  changeQueries<Queue[]>(client, queueKeys.all, (queues) => foldQueues(queues, event));
  if (event.action === 'delete')
    for (const key of NAMING_QUEUES) void client.invalidateQueries({ queryKey: [key] });
}

/** Keeps the list of queues in step with the live events while mounted. */
export function useQueueEvents() {
  const client = useQueryClient();
  useCompanyEvent<QueueEvent>('queue', (event) => applyQueueEvent(client, event));
}
