import type { QueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { messagesKey } from './api';
import { foldCreated } from './fold';
import type { Message, MessagePages } from './types';

/** Applies a fold to a conversation that is loaded. */
export function changeConversation(
  client: QueryClient,
  ticketId: number,
  fold: (pages: MessagePages) => MessagePages,
) {
  changeQueries<MessagePages>(client, messagesKey(ticketId), fold);
}

/** Adds messages from an answer or an event to the cached conversations. */
export function storeMessages(client: QueryClient, ticketId: number, messages: Message[]) {
  changeConversation(client, ticketId, (pages) => messages.reduce(foldCreated, pages));
}
