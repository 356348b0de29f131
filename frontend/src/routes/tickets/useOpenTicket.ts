import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetTicket, listedTicket, ticketQuery } from '@/features/tickets/api';
import { useTicketEvents } from '@/features/tickets/events';
import { ApiError } from '@/lib/api/errors';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';

/**
 * After an event that removes the ticket from lists, an update follows at once for users who may
 * still read it.
 */
const UPDATE_MS = 1500;

/**
 * The ticket of the URL. Users who may not read it, or no longer, get a notice and return to the
 * list, as everyone does when it is deleted (rules/screens §4, rules/tickets §6).
 */
export function useOpenTicket(uuid: string | undefined, leave: () => void) {
  const { t } = useTranslation('tickets');
  const client = useQueryClient();
  const ticket = useQuery({
    ...ticketQuery(uuid ?? ''),
    enabled: uuid !== undefined,
    // Start with the data of the list's row, and refetch it.
    initialData: () => listedTicket(client, uuid),
    initialDataUpdatedAt: 0,
  });
  const openId = ticket.data?.id;
  const deleted = useRef(new Set<number>());
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), [uuid]);

  const onDeleted = useCallback(
    (ticketId: number) => {
      // Both the response to the own deletion and its event arrive here.
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
    // Only after leaving: while the query is mounted, its removal would fetch it, and fail, again.
    return () => client.removeQueries({ queryKey: ticketQuery(uuid).queryKey });
  }, [client, isRefused, uuid, leave, t]);

  return { ticket, isRefused, onDeleted };
}
