import { queryClient } from '@/lib/queryClient';
import { useSession } from '@/stores/session';
import { ticketCountsQuery, ticketsQuery } from './api';
import { readerOf } from './useReader';
import { filtersOf, parseView } from './view';

/** The list shows and repeats what failed. */
const ignore = () => undefined;

/**
 * Asks for the list of an address and its counts as soon as there is a session: they come while the
 * page is still being drawn.
 */
export function fetchFirstList(search: string) {
  const ask = () => {
    const { status, user, overdueSince } = useSession.getState();
    if (status !== 'in' || !user || overdueSince !== null) return;
    stop();
    const filters = filtersOf(parseView(new URLSearchParams(search)), readerOf(user));
    queryClient.infiniteQuery(ticketsQuery(filters)).catch(ignore);
    queryClient.query(ticketCountsQuery(filters)).catch(ignore);
  };
  const stop = useSession.subscribe(ask);
  ask();
}
