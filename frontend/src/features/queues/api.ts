import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';

export interface QueueOption {
  id: number;
  name: string;
  color: string;
}

/** The company's queues, in their order. */
export const queuesQuery = () =>
  queryOptions({
    queryKey: ['queues'],
    queryFn: ({ signal }) => api.get<QueueOption[]>('/queue', undefined, signal),
  });
