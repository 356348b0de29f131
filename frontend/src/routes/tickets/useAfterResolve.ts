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

/** How long the undo is offered. */
const UNDO_MS = 5000;

interface Options {
  view: ListView;
  goTo: (ticket: Ticket) => void;
  /** Opens the list without a conversation, optionally with changes to the view. */
  leave: (change?: Partial<ListView>) => void;
}

/**
 * Navigates after a conversation was resolved: to the next of the user's own conversations under
 * the current filters, or to the list. For some seconds it offers an undo, which reopens the
 * conversation for its previous holder. The conversation is resolved at once, not after these
 * seconds: closing the browser loses nothing, and colleagues see the true state. The undo does not
 * recall a message that was sent to the contact (rules/screens §4).
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
      // The mutation has shown the error.
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
