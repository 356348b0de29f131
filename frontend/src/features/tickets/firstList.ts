import { queryClient } from '@/lib/queryClient';
import { useSession } from '@/stores/session';
import { holdPage } from '@/stores/ui';
import { ticketCountsQuery, ticketsQuery } from './api';
import { readerOf } from './useReader';
import { filtersOf, parseView } from './view';

/** The list shows and repeats what failed. */
const ignore = () => undefined;

/** For so long the page waits for its list; then it is drawn without. */
const WAIT_MS = 500;

/**
 * Asks for the list of an address and its counts as soon as there is a session. The page is drawn
 * when the list is there: drawn before, nearly all of it would be drawn twice.
 */
export function fetchFirstList(search: string) {
  const ask = () => {
    const { status, user, overdueSince } = useSession.getState();
    if (status !== 'in' || !user || overdueSince !== null) return;
    stop();
    const filters = filtersOf(parseView(new URLSearchParams(search)), readerOf(user));
    const draw = holdPage();
    setTimeout(draw, WAIT_MS);
    void queryClient.infiniteQuery(ticketsQuery(filters)).catch(ignore).then(draw);
    queryClient.query(ticketCountsQuery(filters)).catch(ignore);
  };
  const stop = useSession.subscribe(ask);
  ask();
}
