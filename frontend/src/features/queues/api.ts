import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

export type Queue = components['schemas']['Queue'];

/** The company's queues, in their order. */
export const queuesQuery = () =>
  queryOptions({
    queryKey: ['queues'],
    queryFn: ({ signal }) => api.get<Queue[]>('/queue', undefined, signal),
  });
