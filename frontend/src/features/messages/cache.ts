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

/** Puts messages the server answered or sent where they belong. */
export function storeMessages(client: QueryClient, ticketId: number, messages: Message[]) {
  changeConversation(client, ticketId, (pages) => messages.reduce(foldCreated, pages));
}
