import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { mayWrite } from '@/features/messages/rules';
import { useOpensNext } from '@/features/session/api';
import {
  ticketCountsQuery,
  ticketsOf,
  ticketsQuery,
  useReader,
  useTicketAction,
  type Ticket,
} from '@/features/tickets/api';
import { focusList } from '@/features/tickets/listFocus';
import { nextAfter } from '@/features/tickets/next';
import { filtersOf, type ListView } from '@/features/tickets/view';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';

/** How long the way back is offered. */
const UNDO_MS = 5000;

interface Options {
  view: ListView;
  goTo: (ticket: Ticket) => void;
  /** Leads to the list without a conversation, as it is or changed. */
  leave: (change?: Partial<ListView>) => void;
}

/**
 * What comes after a conversation was resolved: the next one of the list of one's own as it is
 * narrowed now, or the list, and for a while the way back, which reopens it to who held it. It is
 * resolved at once, not after that while: a browser that goes away loses nothing, and colleagues
 * see what is so. What the contact was told has left (rules/screens §4).
 */
export function useAfterResolve({ view, goTo, leave }: Options) {
  const { t } = useTranslation('tickets');
  const client = useQueryClient();
  const reader = useReader();
  const user = useCurrentUser();
  const [opensNext] = useOpensNext();
  const { mutateAsync } = useTicketAction(goTo);
  const filters = filtersOf({ ...view, tab: 'open', subTab: 'open', search: '' }, reader);

  const undo = (before: Ticket) =>
    mutateAsync({ ticket: before, action: 'reopen', holderId: before.userId }).then(
      goTo,
      // The refusal has been told.
      () => undefined,
    );

  async function nextOf(before: Ticket) {
    const options = { ...ticketsQuery(filters), staleTime: Infinity };
    const list = await client.infiniteQuery(options).catch(() => undefined);
    return nextAfter(
      ticketsOf(list).filter((ticket) => mayWrite(ticket, user)),
      before,
    );
  }

  return (before: Ticket, wasOpen: boolean) => {
    toast.undo(
      t('resolved', { name: before.contact.name }),
      t('undoResolve'),
      () => void undo(before),
      UNDO_MS,
    );
    const from = window.location.href;
    void nextOf(before).then((next) => {
      if (window.location.href !== from) return;
      if (wasOpen && opensNext && next) {
        goTo(next);
        return;
      }
      if (wasOpen) {
        const waiting = client.getQueryData(ticketCountsQuery(filters).queryKey)?.pending ?? 0;
        if (opensNext) leave({ tab: 'open', subTab: waiting > 0 ? 'pending' : 'open', search: '' });
        else leave();
      }
      focusList(next?.id ?? 0);
    });
  };
}
