import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';

type Schemas = components['schemas'];

/** What the browser draws of a row; an unsent message has nothing of the rest. */
export type QuotedMessage = Omit<
  Schemas['QuotedMessage'],
  'companyId' | 'quotedMsgId' | 'read' | 'remoteJid' | 'wid'
>;
export type Message = QuotedMessage & { quotedMsg: QuotedMessage | null };
export type TicketEvent = Schemas['TicketEvent'];
/** A page of a conversation, oldest message first. */
export type MessagePage = Omit<Schemas['MessagePage'], 'messages' | 'ticket'> & {
  messages: Message[];
};

/** Newest page first; a page is asked for by the id it ends before, 0 for the newest. */
export type MessagePages = InfiniteData<MessagePage, number>;

export const messagesKey = (ticketId: number) => ['messages', ticketId] as const;

/**
 * The conversation around a ticket (rules §2). Older pages go by `beforeId`, so that what arrives
 * meanwhile does not shift them. Reading it is what resets the holder's unread count (rules §4.5),
 * hence never served from the cache alone.
 */
export const messagesQuery = (ticketId: number) =>
  infiniteQueryOptions({
    queryKey: messagesKey(ticketId),
    queryFn: ({ pageParam, signal }) =>
      api.get<MessagePage>(
        `/messages/${ticketId}`,
        pageParam ? { beforeId: pageParam } : {},
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last: MessagePage) => (last.hasMore ? last.messages[0]?.id : undefined),
    staleTime: 0,
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
