import { QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { ApiError } from '@/lib/api/errors';

/** The only copy of server data. Live events update it, so it never becomes stale by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Without a network a call fails and the page says so, instead of waiting silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < 2 &&
        navigator.onLine &&
        error instanceof ApiError &&
        (error.status === 0 || error.status >= 500),
    },
    mutations: {
      // A change fails at once as well, instead of being made minutes later.
      networkMode: 'always',
    },
  },
});

// A conversation shows at once within half an hour of its last use; only its last page is kept.
const KEPT_MS = 30 * 60_000;
queryClient.setQueryDefaults(['messages'], { gcTime: KEPT_MS });
queryClient.setQueryDefaults(['tickets', 'uuid'], { gcTime: KEPT_MS });

const overtaken = new Set<string>();

/** Fetches again after the fetch in flight ends: its answer may be older than a change. */
function refetchAfter(client: QueryClient, query: Query) {
  const { queryHash, queryKey, promise } = query;
  if (!promise || overtaken.has(queryHash)) return;
  overtaken.add(queryHash);
  const again = () => {
    overtaken.delete(queryHash);
    void client.invalidateQueries({ queryKey, exact: true });
  };
  promise.then(again, again);
}

/**
 * Changes all data cached under a key, and makes sure that no fetch in flight undoes the change.
 */
export function changeQueries<Data>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (data: Data, key: QueryKey) => Data,
) {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    if (query.state.fetchStatus !== 'idle') refetchAfter(client, query);
    const data = query.state.data as Data | undefined;
    if (data !== undefined) client.setQueryData(query.queryKey, change(data, query.queryKey));
  }
}
