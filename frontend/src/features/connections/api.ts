import { queryOptions } from '@tanstack/react-query';
import { api } from '@/lib/api/client';

export interface Connection {
  id: number;
  name: string;
  status: string;
  isDefault: boolean;
}

/** The company's connections, without their sessions. */
export const connectionsQuery = () =>
  queryOptions({
    queryKey: ['connections'],
    queryFn: ({ signal }) => api.get<Connection[]>('/whatsapp/', { session: 0 }, signal),
  });
