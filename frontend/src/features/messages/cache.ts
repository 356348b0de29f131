import type { QueryClient } from '@tanstack/react-query';
import { messagesKey, type Message, type MessagePages } from './api';
import { foldCreated } from './fold';

/** Applies a fold to a conversation that is loaded. */
export function changeConversation(
  client: QueryClient,
  ticketId: number,
  fold: (pages: MessagePages) => MessagePages,
) {
  client.setQueryData<MessagePages>(messagesKey(ticketId), (pages) => pages && fold(pages));
}

/** Puts messages the server answered or sent where they belong. */
export function storeMessages(client: QueryClient, ticketId: number, messages: Message[]) {
  changeConversation(client, ticketId, (pages) => messages.reduce(foldCreated, pages));
}
