import type { SessionUser } from '@/lib/api/types';
import { may, mayBegin } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import type { Reader } from './types';

/** The setting that lets every user read all conversations. */
const SPY_SETTING = 'allowToSpyMessage';
const ORDER_SETTING = 'waitingListOrder';
const DEADLINES_SETTING = 'sla';

/**
 * Whether the role lets the user accept and reopen, resolve, and begin a conversation with any
 * contact (rules/tickets §5).
 */
type SignedInReader = Reader &
  Required<Pick<Reader, 'isAdmin' | 'seesAll' | 'longestFirst' | 'hasDeadlines'>> & {
    takes: boolean;
    resolves: boolean;
    begins: boolean;
  };

/** The signed-in user as the reader of lists. */
export const useReader = (): SignedInReader => readerOf(useCurrentUser());

export function readerOf(user: SessionUser): SignedInReader {
  const { settings } = user.company;
  const seesQueues = may(user, 'tickets:seeQueues');
  const isAdmin = may(user, 'tickets:seeAll');
  return {
    userId: user.id,
    // Whose role shows only the own tickets gets none of a queue.
    queues: seesQueues ? user.queues.map(({ id }) => id) : [],
    isAdmin,
    takes: may(user, 'tickets:take'),
    resolves: may(user, 'tickets:resolve'),
    begins: mayBegin(user),
    seesAll:
      isAdmin ||
      (seesQueues && settings.some(({ key, value }) => key === SPY_SETTING && value === 'enabled')),
    hasDeadlines: settings.some(
      ({ key, value }) => key === DEADLINES_SETTING && value === 'enabled',
    ),
    longestFirst: !settings.some(({ key, value }) => key === ORDER_SETTING && value === 'updated'),
  };
}
