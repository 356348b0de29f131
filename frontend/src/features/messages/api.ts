import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { Ticket } from '@/features/tickets/api';
import { api } from '@/lib/api/client';
import { nextPage } from '@/lib/api/pages';
import { messagesOf } from './fold';
import type {
  Forwarded,
  FoundMessages,
  Message,
  MessagePage,
  MessagePages,
  PagePlace,
} from './types';

export const messagesKey = (ticketId: number) => ['messages', ticketId] as const;

export const fetchPage = (
  ticketId: number,
  place: PagePlace,
  signal?: AbortSignal,
  /** Without the holder having read it. */
  peek?: true,
) =>
  api.get<MessagePage>(
    `/messages/${ticketId}`,
    { beforeId: place.before, afterId: place.after, aroundId: place.around, peek },
    signal,
  );

/** A page of newer messages that has come out empty still leads to what is before it. */
const olderThan = (page: MessagePage, { after }: PagePlace): PagePlace | undefined => {
  const [oldest] = page.messages;
  if (!oldest) return after === undefined ? undefined : { before: after + 1 };
  return page.hasMore || after !== undefined ? { before: oldest.id } : undefined;
};

/**
 * The conversation around a ticket (rules/tickets §8). Pages go by ids, so that what arrives
 * meanwhile does not shift them; the next one is older, the previous one newer. Reading it is what
 * resets the holder's unread count (rules/tickets §7), hence never served from the cache alone.
 */
export const messagesQuery = (ticketId: number) =>
  infiniteQueryOptions({
    queryKey: messagesKey(ticketId),
    queryFn: ({ pageParam, signal }) => fetchPage(ticketId, pageParam, signal),
    initialPageParam: {},
    getNextPageParam: (last: MessagePage, _, place: PagePlace) => olderThan(last, place),
    getPreviousPageParam: (first: MessagePage): PagePlace | undefined => {
      const newest = first.messages.at(-1);
      return first.hasNewer && newest ? { after: newest.id } : undefined;
    },
    staleTime: 0,
  });

/** The one look ahead that is under way. */
let ahead: { ticketId: number; fetching: AbortController } | null = null;

/**
 * Fetches the end of a conversation that will perhaps be opened next, unless it is here; nobody has
 * read anything by it. One at a time: the next wish ends the one before.
 */
export async function lookAhead(
  client: QueryClient,
  { id, lastMessageId }: Pick<Ticket, 'id' | 'lastMessageId'>,
) {
  const queryKey = messagesKey(id);
  const query = client.getQueryCache().find<MessagePages>({ queryKey, exact: true });
  const newest = messagesOf(query?.state.data).at(-1);
  const isHere = newest && newest.id >= (lastMessageId ?? 0) && !query?.state.isInvalidated;
  if (query?.isActive() || isHere || ahead?.ticketId === id) return;
  ahead?.fetching.abort();
  const mine = { ticketId: id, fetching: new AbortController() };
  ahead = mine;
  try {
    const page = await fetchPage(id, {}, mine.fetching.signal, true);
    const now = client.getQueryCache().find<MessagePages>({ queryKey, exact: true });
    // Opened meanwhile, it may have more than this already.
    if (now?.isActive() && now.state.data) return;
    client.setQueryData<MessagePages>(queryKey, { pages: [page], pageParams: [{}] });
  } catch {
    // Opening it says what stands in the way.
  } finally {
    if (ahead === mine) ahead = null;
  }
}

/** The messages of a conversation that hold a text, newest first. */
export const foundMessagesQuery = (ticketId: number, text: string) =>
  infiniteQueryOptions({
    queryKey: ['messages', 'found', ticketId, text],
    enabled: text !== '',
    queryFn: ({ pageParam, signal }) =>
      api.get<FoundMessages>(
        `/messages/${ticketId}/search`,
        { searchParam: text, pageNumber: pageParam },
        signal,
      ),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    // What was written since is found by looking again.
    gcTime: 0,
  });

/** Tells the server that the holder has seen what came up to this message; answers what is newer. */
export const readUpTo = (ticketId: number, messageId: number) =>
  api.get<MessagePage>(`/messages/${ticketId}`, { afterId: messageId });

interface Outgoing {
  ticketId: number;
  body: string;
  quotedId: number | null;
  /** Fixed before the first try: sent again it answers the stored message. */
  clientId: string;
}

export const sendText = (
  { ticketId, body, quotedId, clientId }: Outgoing,
  signal: AbortSignal,
): Promise<Message> =>
  api.post<Message>(
    `/messages/${ticketId}`,
    {
      body,
      fromMe: true,
      read: true,
      quotedMsg: quotedId === null ? null : { id: quotedId },
      clientId,
    },
    { signal },
  );

export async function sendFile(
  { ticketId, body, quotedId, clientId }: Outgoing,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Message[]> {
  const form = new FormData();
  form.append('fromMe', 'true');
  form.append('body', body);
  form.append('clientId', clientId);
  if (quotedId !== null) form.append('quotedMsg', JSON.stringify({ id: quotedId }));
  form.append('medias', file, file.name);
  const answer = await api.upload<{ messages: Message[] }>(`/messages/${ticketId}`, form, {
    signal,
    onProgress,
  });
  return answer.messages;
}

/** Another try for a message whose delivery failed; the row stays the same. */
export const resendMessage = (messageId: number) =>
  api.post<Message>(`/messages/${messageId}/resend`);

/** Puts our emoji on a message; an empty one takes it back. */
export const reactToMessage = (messageId: number, emoji: string) =>
  api.post<Message>(`/messages/${messageId}/reaction`, { emoji });

export const editMessage = (messageId: number, body: string) =>
  api.put<Message>(`/messages/${messageId}`, { body });

/** Takes a message back at the contact's; the row stays, marked. */
export const deleteMessage = (messageId: number) => api.delete<Message>(`/messages/${messageId}`);

/** The same message to other contacts; the same `clientId` again sends nothing twice. */
export const forwardMessage = (messageId: number, contactIds: number[], clientId: string) =>
  api.post<Forwarded>(`/messages/${messageId}/forward`, { contactIds, clientId });
