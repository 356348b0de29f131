import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import { nextPageByRows } from '@/lib/api/pages';
import { chatKeys } from './keys';
import type { Chat, ChatInput, ChatMessage, ChatMessagePage, ChatPage } from './types';

export type * from './types';

const PAGE_SIZE = 20;

/** The user's chats, most recently changed first. */
export const chatsQuery = (search = '') =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.lists, search.trim()] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ChatPage>('/chats/', { searchParam: search.trim(), pageNumber: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      nextPageByRows(
        last,
        pages.flatMap(({ records }) => records),
        PAGE_SIZE,
      ),
  });

export const chatQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...chatKeys.one, uuid] as const,
    queryFn: ({ signal }) => api.get<Chat>(`/chats/${uuid}`, undefined, signal),
  });

/** The messages of a chat: the first page is the newest, each next page is older. */
export const chatMessagesQuery = (chatId: number) =>
  infiniteQueryOptions({
    queryKey: chatKeys.messages(chatId),
    queryFn: ({ pageParam, signal }) =>
      api.get<ChatMessagePage>(
        `/chats/${chatId}/messages`,
        pageParam === null ? {} : { beforeId: pageParam },
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.hasMore ? (last.records[0]?.id ?? null) : null),
  });

/** Creates a chat, or changes the one with `id`. */
export function useSaveChat(id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fields: ChatInput) =>
      id === undefined ? api.post<Chat>('/chats', fields) : api.put<Chat>(`/chats/${id}`, fields),
    onSuccess: (chat) => client.setQueryData(chatQuery(chat.uuid).queryKey, chat),
    onSettled: () => void client.invalidateQueries({ queryKey: chatKeys.lists }),
  });
}

/** Removes a chat: the owner deletes it for all, another member leaves it. */
function useGoing(go: (id: number) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: go,
    onSettled: () => void client.invalidateQueries({ queryKey: chatKeys.lists }),
  });
}

export const useDeleteChat = () => useGoing((id) => api.delete(`/chats/${id}`));

export const useLeaveChat = () => useGoing((id) => api.post(`/chats/${id}/leave`));

export const readChat = (id: number, userId: number) =>
  api.post<Chat>(`/chats/${id}/read`, { userId });

interface Outgoing {
  chatId: number;
  text: string;
  clientId: string;
}

export const sendChatText = ({ chatId, text, clientId }: Outgoing) =>
  api.post<ChatMessage>(`/chats/${chatId}/messages`, { message: text, clientId });

export function sendChatFile(
  { chatId, text, clientId }: Outgoing,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
) {
  const form = new FormData();
  form.append('message', text);
  form.append('clientId', clientId);
  form.append('file', file, file.name);
  return api.upload<ChatMessage>(`/chats/${chatId}/messages`, form, { signal, onProgress });
}
