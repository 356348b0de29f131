import { CancelledError, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { toast } from '@/lib/toast';

/**
 * Fetches again at the user's request: the queries of a key, or without one all that are shown.
 * Reports a failure.
 */
export async function refetch(client: QueryClient, queryKey?: QueryKey) {
  try {
    await client.invalidateQueries(queryKey && { queryKey }, { throwOnError: true });
  } catch (error) {
    // A cancelled fetch was replaced by a newer request, which gets the answer.
    if (!(error instanceof CancelledError)) toast.error(error);
  }
}
