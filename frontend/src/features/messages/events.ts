import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { useCompanyEvent, useTicketRoom } from '@/lib/socket';
import { messagesKey, readUpTo } from './api';
import { changeConversation, storeMessages } from './cache';
import { EarlyUpdates } from './earlyUpdates';
import { foldActivity, foldClosed, foldUpdated, foldWithoutActivity } from './fold';
import { settleByEvent } from './outbox';
import type { Message } from './types';

/** Messages that arrive within this time are reported as read together. */
const READ_DELAY_MS = 400;

type Place = Pick<Ticket, 'id' | 'contactId' | 'whatsappId'>;

/**
 * Whether a message of ticket `owner` belongs to the conversation of `ticket`: its own messages,
 * and those of the contact's other tickets on the same connection (rules/tickets §8).
 */
export const belongsTo = (ticket: Place, owner: Place): boolean =>
  ticket.id === owner.id ||
  (ticket.contactId === owner.contactId && ticket.whatsappId === owner.whatsappId);

/**
 * Keeps an open conversation up to date; `onArrival` is called with each message of the contact.
 */
export function useConversationEvents(ticket: Ticket, onArrival: (message: Message) => void) {
  const client = useQueryClient();
  useTicketRoom(ticket.id, (isLate) => {
    // Otherwise the rooms of the lists have delivered all events since the fetch.
    if (!isLate) return;
    void client.invalidateQueries({ queryKey: messagesKey(ticket.id) });
    void client.invalidateQueries({ queryKey: ticketQuery(ticket.uuid).queryKey });
  });
  const [early] = useState(() => new EarlyUpdates());
  useCompanyEvent('appMessage', (event) => {
    const { message } = event;
    if (event.action === 'update') {
      early.note(message);
      changeConversation(client, ticket.id, (pages) => foldUpdated(pages, message));
      return;
    }
    if (!belongsTo(ticket, event.ticket)) return;
    settleByEvent(message);
    storeMessages(client, ticket.id, [early.newestOf(message)]);
    if (!message.fromMe) onArrival(message);
  });
  useCompanyEvent('ticket', (change) => {
    if (change.action !== 'update' || change.ticket.id !== ticket.id) return;
    const { event } = change;
    // After a merge or split the contact has another conversation.
    if (change.ticket.contactId !== ticket.contactId)
      void client.invalidateQueries({ queryKey: messagesKey(ticket.id) });
    if (event) changeConversation(client, ticket.id, (pages) => foldActivity(pages, event));
  });
  useCompanyEvent('conversationNote', (event) => {
    if (event.action === 'delete')
      changeConversation(client, ticket.id, (pages) => foldWithoutActivity(pages, event.noteId));
    else if (event.note.ticketId === ticket.id)
      changeConversation(client, ticket.id, (pages) => foldActivity(pages, event.note));
  });
  useCompanyEvent('contact', (event) => {
    // The contact was merged into another one: a closed ticket gets no other event about it.
    if (event.action === 'delete' && event.contactId === ticket.contactId)
      void client.invalidateQueries({ queryKey: ticketQuery(ticket.uuid).queryKey });
  });
  useEffect(() => () => changeConversation(client, ticket.id, foldClosed), [client, ticket.id]);
}

/**
 * Keeps cached conversations that are not open up to date, so that they show at once when opened.
 */
export function useKeptConversations() {
  const client = useQueryClient();
  useCompanyEvent('appMessage', ({ action, message }) => {
    if (action === 'create') storeMessages(client, message.ticketId, [message]);
    else changeConversation(client, message.ticketId, (pages) => foldUpdated(pages, message));
  });
}

/**
 * Tells the server that the holder reads new messages while the conversation is visible. Opening it
 * has already reported the earlier ones.
 */
export function useReading(
  ticketId: number,
  isHolder: boolean,
  newest: Message | undefined,
  /** The ticket was handed over while its conversation was open. */
  isHandedOver: boolean,
) {
  const client = useQueryClient();
  const arrivedId = newest && (isHandedOver || !newest.fromMe) ? newest.id : undefined;
  useEffect(() => {
    if (arrivedId === undefined || !(isHolder || isHandedOver)) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      readUpTo(ticketId, arrivedId).then(
        ({ messages }) => storeMessages(client, ticketId, messages),
        // The next message or the next opening reports it again.
        () => undefined,
      );
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', read);
      read();
    }, READ_DELAY_MS);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [client, ticketId, isHolder, isHandedOver, arrivedId]);
}
