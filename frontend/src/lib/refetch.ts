import { CancelledError, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { toast } from '@/lib/toast';

/** Fetch anew what a person asks for, all that is shown without a key; a failure is told. */
export async function refetch(client: QueryClient, queryKey?: QueryKey) {
  try {
    await client.invalidateQueries(queryKey && { queryKey }, { throwOnError: true });
  } catch (error) {
    // Whoever asked once more gets the answer.
    if (!(error instanceof CancelledError)) toast.error(error);
  }
}
