import type { Chat, ChatMessage } from './types';

/**
 * A chat of users 1, 2, …, one for each entry of `unreads`; by default two without unread messages.
 */
export function makeChat(
  id: number,
  { unreads = [0, 0], ...fields }: Partial<Chat> & { unreads?: number[] } = {},
): Chat {
  return {
    id,
    uuid: `00000000-0000-0000-0000-00000000000${id}`,
    title: `Conversa ${id}`,
    ownerId: 1,
    owner: { id: 1, name: 'Ana' },
    lastMessage: '',
    users: unreads.map((count, place) => ({
      id: id * 10 + place,
      chatId: id,
      userId: place + 1,
      unreads: count,
      user: { id: place + 1, name: ['Ana', 'Bruno', 'Carla'][place] ?? 'Davi' },
    })),
    revision: 1,
    companyId: 2,
    createdAt: `2026-01-0${id}T12:00:00Z`,
    updatedAt: `2026-01-0${id}T12:00:00Z`,
    ...fields,
  };
}

export const makeMessage = (id: number, fields: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  chatId: 1,
  senderId: 2,
  sender: { id: 2, name: 'Bruno' },
  message: `Mensagem ${id}`,
  mediaType: null,
  mediaUrl: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  clientId: null,
  createdAt: '2026-01-05T12:00:00Z',
  updatedAt: '2026-01-05T12:00:00Z',
  ...fields,
});
