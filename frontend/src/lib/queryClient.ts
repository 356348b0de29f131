import { QueryClient, type Query, type QueryKey } from '@tanstack/react-query';
import { ApiError } from '@/lib/api/errors';

/** The only copy of server data. Live events correct it, so it does not go stale by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Without a network a call fails and the page says so: it does not wait without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) =>
        failures < 2 &&
        navigator.onLine &&
        error instanceof ApiError &&
        (error.status === 0 || error.status >= 500),
    },
  },
});

// A conversation that was seen within the half hour shows at once; only its last page is kept.
const KEPT_MS = 30 * 60_000;
queryClient.setQueryDefaults(['messages'], { gcTime: KEPT_MS });
queryClient.setQueryDefaults(['tickets', 'uuid'], { gcTime: KEPT_MS });

const overtaken = new Set<string>();

/** Fetches once more when the fetch on its way ends: what it brings may be from before a change. */
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

/** Changes everything cached under a key, so that no fetch on its way undoes the change. */
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
