import { freshMediaPath } from '@/features/quickMessages/api';
import { api } from '@/lib/api/client';
import type { StoredFile } from './composer/composition';
import type { Message } from './types';

interface Outgoing {
  ticketId: number;
  body: string;
  quotedId: number | null;
  clientId: string;
}

/** Sends a quick message's file, which the server copies: nothing is uploaded again. */
export const sendStored = (
  { ticketId, body, quotedId, clientId }: Outgoing,
  { quickMessageId, mediaPath }: StoredFile,
  signal: AbortSignal,
): Promise<Message> =>
  api.post<Message>(
    `/messages/${ticketId}`,
    {
      body,
      // What waited here for a day has an address that ended.
      mediaPath: freshMediaPath(quickMessageId) ?? mediaPath,
      fromMe: true,
      read: true,
      quotedMsg: quotedId === null ? null : { id: quotedId },
      clientId,
    },
    { signal },
  );
