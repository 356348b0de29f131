import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { Ticket } from '@/features/tickets/api';
import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { nextPage } from '@/lib/api/pages';
import type { LiveEvent } from '@/lib/api/types';
import { changeQueries } from '@/lib/queryClient';
import { toast } from '@/lib/toast';
import { bringFile } from './directUpload';
import { foldActivity, foldWithoutActivity, messagesOf } from './fold';
import { noteOf, writeNote } from './notes/drafts';
import type {
  Follows,
  Forwarded,
  ForwardRefusals,
  FoundMessages,
  MenuInput,
  Mentions,
  Message,
  MessagePage,
  MessagePages,
  NoteInput,
  PagePlace,
  ProductList,
  TicketActivity,
  Writer,
} from './types';

export type { Mention } from './types';

export const messagesKey = (ticketId: number) => ['messages', ticketId] as const;

export const fetchPage = (
  ticketId: number,
  place: PagePlace,
  signal?: AbortSignal,
  /** Fetches without marking the messages as read. */
  peek?: true,
) =>
  api.get<MessagePage>(
    `/messages/${ticketId}`,
    {
      beforeId: place.before,
      afterId: place.after,
      aroundId: place.around,
      aroundNoteId: place.aroundNote,
      peek,
    },
    signal,
  );

/** An empty page of newer messages still has a cursor to older ones. */
const olderThan = (page: MessagePage, { after }: PagePlace): PagePlace | undefined => {
  const [oldest] = page.messages;
  if (!oldest) return after === undefined ? undefined : { before: after + 1 };
  return page.hasMore || after !== undefined ? { before: oldest.id } : undefined;
};

/**
 * The conversation of a ticket (rules/tickets §8). Cursors are message ids, so that new messages do
 * not shift pages; the next page is older, the previous one newer. The request resets the holder's
 * unread count (rules/tickets §7), so the query never relies on the cache alone.
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

/** The one prefetch in progress. */
let ahead: { ticketId: number; fetching: AbortController } | null = null;

/**
 * Prefetches the end of a conversation that may be opened next, unless it is cached; marks nothing
 * as read. Only one runs at a time: a newer request aborts the previous one.
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
    // If the conversation was opened meanwhile, it may already hold more than this page.
    if (now?.isActive() && now.state.data) return;
    client.setQueryData<MessagePages>(queryKey, { pages: [page], pageParams: [{}] });
  } catch {
    // Opening the conversation reports the error.
  } finally {
    if (ahead === mine) ahead = null;
  }
}

/** The messages and notes of a conversation that hold a text, newest first. */
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
    // Not cached: a new search must find messages written since.
    gcTime: 0,
  });

/** Tells the server that the holder has read up to this message; returns newer messages. */
export const readUpTo = (ticketId: number, messageId: number) =>
  api.get<MessagePage>(`/messages/${ticketId}`, { afterId: messageId });

interface Outgoing {
  ticketId: number;
  body: string;
  quotedId: number | null;
  /** Fixed before the first attempt: a retry with the same id returns the stored message. */
  clientId: string;
}

export const sendText = (
  { ticketId, body, quotedId, clientId }: Outgoing,
  signal: AbortSignal,
  category?: 'utility',
): Promise<Message> =>
  api.post<Message>(
    `/messages/${ticketId}`,
    {
      body,
      fromMe: true,
      read: true,
      quotedMsg: quotedId === null ? null : { id: quotedId },
      clientId,
      ...(category && { category }),
    },
    { signal },
  );

/** Sends buttons, a list, a link, a request or products. */
export const sendMenu = (
  { ticketId, quotedId, clientId }: Outgoing,
  interactive: MenuInput,
  signal: AbortSignal,
): Promise<Message> =>
  api.post<Message>(
    `/messages/${ticketId}`,
    { interactive, quotedMsg: quotedId === null ? null : { id: quotedId }, clientId },
    { signal },
  );

/** The products of a number's account whose name holds the text; the first 50. */
export const productsQuery = (connectionId: number, searchParam: string) =>
  queryOptions({
    queryKey: ['products', connectionId, searchParam] as const,
    queryFn: ({ signal }) =>
      api.get<ProductList>(`/whatsapp/${connectionId}/products`, { searchParam }, signal),
    staleTime: 60_000,
    // Meta has said why; the user asks again.
    retry: false,
  });

/**
 * Sends a text while the window is closed. If the contact has written meanwhile, it goes as an
 * ordinary one.
 */
export const sendUtilityText = (outgoing: Outgoing, signal: AbortSignal): Promise<Message> =>
  sendText(outgoing, signal, 'utility').catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'ERR_WINDOW_OPEN')
      return sendText(outgoing, signal);
    throw error;
  });

export async function sendFile(
  { ticketId, body, quotedId, clientId }: Outgoing,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Message[]> {
  const upload = await bringFile(ticketId, file, signal, onProgress);
  if (upload !== null) {
    const sent = await api.post<{ messages: Message[] }>(
      `/messages/${ticketId}`,
      {
        body,
        fromMe: true,
        quotedMsg: quotedId === null ? null : { id: quotedId },
        clientId,
        uploads: [upload],
      },
      { signal },
    );
    return sent.messages;
  }
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

/** Retries a message whose delivery failed; the row stays the same. */
export const resendMessage = (messageId: number) =>
  api.post<Message>(`/messages/${messageId}/resend`);

/** Sets the company's reaction to a message; an empty one removes it. */
export const reactToMessage = (messageId: number, emoji: string) =>
  api.post<Message>(`/messages/${messageId}/reaction`, { emoji });

export const editMessage = (messageId: number, body: string) =>
  api.put<Message>(`/messages/${messageId}`, { body });

/** Deletes a message for the contact; the row stays, marked as deleted. */
export const deleteMessage = (messageId: number) => api.delete<Message>(`/messages/${messageId}`);

/** Which of these contacts could not get the message now, and why. */
export const forwardCheckQuery = (messageId: number, contactIds: readonly number[]) =>
  queryOptions({
    queryKey: ['messages', 'forwardCheck', messageId, contactIds] as const,
    enabled: contactIds.length > 0,
    queryFn: ({ signal }) =>
      api.get<ForwardRefusals>(
        `/messages/${messageId}/forward`,
        { contactIds: JSON.stringify(contactIds) },
        signal,
      ),
    // It changes with every message that is received.
    staleTime: 0,
    gcTime: 0,
  });

/** Forwards a message to other contacts; a retry with the same `clientId` sends nothing twice. */
export const forwardMessage = (messageId: number, contactIds: number[], clientId: string) =>
  api.post<Forwarded>(`/messages/${messageId}/forward`, { contactIds, clientId });

/** For whose contacts the user waits, and what came meanwhile (rules/messages §13). */
export const followsQuery = () =>
  queryOptions({
    queryKey: ['messages', 'follows'] as const,
    queryFn: ({ signal }) => api.get<Follows>('/tickets/follows', undefined, signal),
  });

/** Tells the server that the user has opened the conversation of an awaited answer. */
export async function openAnswer(client: QueryClient, ticketId: number) {
  try {
    const now = await api.put<Follows>(`/tickets/${ticketId}/follow/seen`);
    client.setQueryData<Follows>(followsQuery().queryKey, now);
  } catch {
    // The answer stays, and is told of again at the next load.
  }
}

/**
 * Waits for a contact's next message, or with `lasting` follows the conversation, or neither any
 * longer.
 */
export function useFollow(ticketId: number, lasting?: true) {
  const client = useQueryClient();
  const { queryKey } = followsQuery();
  return useMutation({
    mutationFn: (follows: boolean) =>
      follows
        ? api.put<Follows>(`/tickets/${ticketId}/follow`, lasting && { lasting })
        : api.delete<Follows>(`/tickets/${ticketId}/follow`),
    onSuccess: (now) => client.setQueryData<Follows>(queryKey, now),
    onError: (error) => toast.error(error),
  });
}

/** Writes the note that a user began for the team in a conversation (rules/tickets §16). */
export function useWriteNote(userId: number, ticketId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: NoteInput) => api.post<TicketActivity>(`/tickets/${ticketId}/notes`, note),
    onSuccess: (note, { text }) => {
      // Also when the conversation was left meanwhile, or the note would be saved a second time.
      if (noteOf(userId, ticketId)?.text === text) writeNote(userId, ticketId, '');
      changeQueries<MessagePages>(client, messagesKey(ticketId), (pages) =>
        foldActivity(pages, note),
      );
    },
    onError: (error) => toast.error(error),
  });
}

/** Deletes a note; shown in the conversation of `ticketId`, or of another ticket of the contact. */
export function useDeleteNote(ticketId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (noteId: number) => api.delete(`/tickets/${ticketId}/notes/${noteId}`),
    onSuccess: (_answer, noteId) =>
      changeQueries<MessagePages>(client, ['messages'], (pages, [, id]) =>
        typeof id === 'number' ? foldWithoutActivity(pages, noteId) : pages,
      ),
  });
}

/** The notes that mention the user, newest first. */
export const mentionsQuery = () =>
  queryOptions({
    queryKey: ['mentions'] as const,
    queryFn: ({ signal }) => api.get<Mentions>('/tickets/mentions', undefined, signal),
  });

const withSeen = ({ mentions }: Mentions, ticketId: number): Mentions => ({
  mentions: mentions.map((each) => (each.ticket.id === ticketId ? { ...each, seen: true } : each)),
});

/** Folds a live event into the user's mentions. */
export function foldMention(before: Mentions, event: LiveEvent<'ticketMention'>): Mentions {
  if (event.action === 'seen') return withSeen(before, event.ticketId);
  if (event.action === 'delete')
    return { mentions: before.mentions.filter(({ note }) => note.id !== event.noteId) };
  const others = before.mentions.filter(({ id }) => id !== event.mention.id);
  return { mentions: [event.mention, ...others] };
}

/** Tells the server that the user has opened the conversation in which they were mentioned. */
export async function openMention(client: QueryClient, ticketId: number) {
  try {
    await api.put(`/tickets/${ticketId}/mentions`);
    changeQueries<Mentions>(client, mentionsQuery().queryKey, (now) => withSeen(now, ticketId));
  } catch {
    // It stays new, and is told of again at the next load.
  }
}

/** Who else is writing in a conversation (rules/messages §10); live events tell the rest. */
export const writersQuery = (ticketId: number) =>
  queryOptions({
    queryKey: ['messages', 'writers', ticketId] as const,
    queryFn: ({ signal }) =>
      api.get<{ writers: Writer[] }>(`/tickets/${ticketId}/writers`, undefined, signal),
    staleTime: 0,
    gcTime: 0,
  });
