/** Query keys of chats. */
export const chatKeys = {
  all: ['chats'] as const,
  lists: ['chats', 'list'] as const,
  /** Without a search: the chats that the top bar and the menu show. */
  newest: ['chats', 'list', ''] as const,
  one: ['chats', 'one'] as const,
  messages: (chatId: number) => ['chats', 'messages', chatId] as const,
};
