import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetTicket, listedTicket, ticketQuery } from '@/features/tickets/api';
import { useTicketEvents } from '@/features/tickets/events';
import { ApiError } from '@/lib/api/errors';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';

/** An update follows its removal from the old lists at once, for those who may still read it. */
const UPDATE_MS = 1500;

/**
 * The ticket of the address. Who may not, or no longer, read it is told so and sent to the list,
 * and so is everyone once it is deleted (rules/screens §4, rules/tickets §6).
 */
export function useOpenTicket(uuid: string | undefined, leave: () => void) {
  const { t } = useTranslation('tickets');
  const client = useQueryClient();
  const ticket = useQuery({
    ...ticketQuery(uuid ?? ''),
    enabled: uuid !== undefined,
    // The row that was pressed tells enough to begin with; the server is asked all the same.
    initialData: () => listedTicket(client, uuid),
    initialDataUpdatedAt: 0,
  });
  const openId = ticket.data?.id;
  const deleted = useRef(new Set<number>());
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), [uuid]);

  const onDeleted = useCallback(
    (ticketId: number) => {
      // The answer to one's own deletion and its event tell the same.
      if (deleted.current.has(ticketId)) return;
      deleted.current.add(ticketId);
      if (ticketId !== openId || !uuid) return;
      forgetTicket(client, { id: ticketId, uuid });
      toast.info(t('deleted'));
      leave();
    },
    [client, leave, openId, t, uuid],
  );
  useTicketEvents(onDeleted);
  useCompanyEvent('ticket', (event) => {
    if (event.action === 'updateUnread') return;
    const id = event.action === 'update' ? event.ticket.id : event.ticketId;
    if (id !== openId || !uuid) return;
    window.clearTimeout(timer.current);
    if (event.action === 'delete' && event.oldStatus !== undefined)
      timer.current = window.setTimeout(
        () => void client.invalidateQueries({ queryKey: ticketQuery(uuid).queryKey }),
        UPDATE_MS,
      );
  });

  const { error } = ticket;
  const isRefused = error instanceof ApiError && [403, 404].includes(error.status);
  useEffect(() => {
    if (!isRefused || !uuid) return;
    toast.errorText(t('forbidden'));
    leave();
    // Once it is left: while it is shown, forgetting it would fetch it, and refuse it, again.
    return () => client.removeQueries({ queryKey: ticketQuery(uuid).queryKey });
  }, [client, isRefused, uuid, leave, t]);

  return { ticket, isRefused, onDeleted };
}
