import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ticketQuery, type Ticket } from '@/features/tickets/api';
import { useCompanyEvent, useTicketRoom } from '@/lib/socket';
import { messagesKey, readUpTo } from './api';
import { changeConversation, storeMessages } from './cache';
import { EarlyUpdates } from './earlyUpdates';
import { foldActivity, foldClosed, foldUpdated } from './fold';
import { settleByEvent } from './outbox';
import type { Message } from './types';

/** Messages that arrive within this time are one reading. */
const READ_DELAY_MS = 400;

type Place = Pick<Ticket, 'id' | 'contactId' | 'whatsappId'>;

/**
 * Whether a message of `owner` belongs to the conversation that `ticket` shows: its own, and the
 * contact's other tickets on the same connection (rules/tickets §8).
 */
export const belongsTo = (ticket: Place, owner: Place): boolean =>
  ticket.id === owner.id ||
  (ticket.contactId === owner.contactId && ticket.whatsappId === owner.whatsappId);

/** Keeps an open conversation up to date; `onArrival` hears what the contact writes. */
export function useConversationEvents(ticket: Ticket, onArrival: (message: Message) => void) {
  const client = useQueryClient();
  useTicketRoom(ticket.id, (isLate) => {
    // Else the rooms of the lists have told what came since it was fetched.
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
    // Merged or parted, its contact has another conversation.
    if (change.ticket.contactId !== ticket.contactId)
      void client.invalidateQueries({ queryKey: messagesKey(ticket.id) });
    if (event) changeConversation(client, ticket.id, (pages) => foldActivity(pages, event));
  });
  useCompanyEvent('contact', (event) => {
    // Merged into another: a closed ticket hears of it by this alone.
    if (event.action === 'delete' && event.contactId === ticket.contactId)
      void client.invalidateQueries({ queryKey: ticketQuery(ticket.uuid).queryKey });
  });
  useEffect(() => () => changeConversation(client, ticket.id, foldClosed), [client, ticket.id]);
}

/** Keeps what is cached of conversations that are not open up to date: opened, they show it at once. */
export function useKeptConversations() {
  const client = useQueryClient();
  useCompanyEvent('appMessage', ({ action, message }) => {
    if (action === 'create') storeMessages(client, message.ticketId, [message]);
    else changeConversation(client, message.ticketId, (pages) => foldUpdated(pages, message));
  });
}

/**
 * Tells the server that its holder reads what arrives while the conversation is before their eyes.
 * Opening it has told so already.
 */
export function useReading(ticketId: number, isHolder: boolean, newest: Message | undefined) {
  const client = useQueryClient();
  const arrivedId = newest && !newest.fromMe ? newest.id : undefined;
  useEffect(() => {
    if (arrivedId === undefined || !isHolder) return;
    const read = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', read);
      readUpTo(ticketId, arrivedId).then(
        ({ messages }) => storeMessages(client, ticketId, messages),
        // The next message or the next opening tells it again.
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
  }, [client, ticketId, isHolder, arrivedId]);
}
