import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '@/lib/api/errors';

/** The only copy of server data. Live events correct it, so it does not go stale by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
