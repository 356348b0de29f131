import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { queueKeys } from './api';
import { foldQueues } from './fold';
import type { Queue } from './types';

/** Lists whose rows contain queues; a deleted queue disappears from them. */
const NAMING_QUEUES = ['connections', 'users', 'prompts'];

/** Applies a queue event to the cached list. */
export function applyQueueEvent(client: QueryClient, event: LiveEvent<'queue'>) {
  changeQueries<Queue[]>(client, queueKeys.all, (queues) => foldQueues(queues, event));
  if (event.action === 'delete')
    for (const key of NAMING_QUEUES) void client.invalidateQueries({ queryKey: [key] });
}

/** Keeps the list of queues up to date with the live events while mounted. */
export function useQueueEvents() {
  const client = useQueryClient();
  useCompanyEvent('queue', (event) => applyQueueEvent(client, event));
}
