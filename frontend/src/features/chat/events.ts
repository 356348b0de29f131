import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { changeQueries } from '@/lib/queryClient';
import { useCompanyEvent } from '@/lib/socket';
import { useCurrentUser } from '@/stores/session';
import {
  foldChat,
  foldGone,
  foldMessage,
  newerOf,
  type ChatPages,
  type MessagePages,
} from './fold';
import { chatKeys } from './keys';
import { settleByEvent } from './outbox';
import type { Chat, ChatMessage } from './types';

/** Stores the current state of a chat wherever it is cached; search results are fetched again. */
export function storeChat(client: QueryClient, chat: Chat, userId: number) {
  changeQueries<ChatPages>(client, chatKeys.newest, (data) => foldChat(data, chat, userId));
  changeQueries<Chat>(client, [...chatKeys.one, chat.uuid], (known) => newerOf(known, chat));
  void client.invalidateQueries({
    queryKey: chatKeys.lists,
    predicate: ({ queryKey }) => queryKey[2] !== '',
  });
}

/** Keeps chats and their messages up to date; calls `onMessage` for each new message. */
export function useChatEvents(onMessage: (message: ChatMessage, chat: Chat) => void) {
  const client = useQueryClient();
  const userId = useCurrentUser().id;
  const store = (chat: Chat) => storeChat(client, chat, userId);
  useCompanyEvent('chat-user-{userId}', ({ record }) => store(record), userId);
  useCompanyEvent('chat', (event) => {
    if (event.action === 'delete') {
      changeQueries<ChatPages>(client, chatKeys.newest, (data) => foldGone(data, event.id, userId));
      client.removeQueries({ queryKey: chatKeys.messages(event.id) });
      // If the chat is open, fetching it again shows that it is gone.
      void client.invalidateQueries({ queryKey: chatKeys.one });
      return;
    }
    store(event.chat);
    if (event.action !== 'new-message') return;
    const message = event.newMessage;
    changeQueries<MessagePages>(client, chatKeys.messages(message.chatId), (data) =>
      foldMessage(data, message),
    );
    settleByEvent(message.clientId);
    onMessage(message, event.chat);
  });
}
