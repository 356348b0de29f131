import { freshListFilePath } from '@/features/fileLists/api';
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

/** The path as currently valid; the signed address in an old draft may have expired. */
function pathOf({ quickMessageId, fileListItemId, mediaPath }: StoredFile): string {
  const fresh =
    quickMessageId !== undefined
      ? freshMediaPath(quickMessageId)
      : fileListItemId !== undefined && freshListFilePath(fileListItemId);
  return fresh || mediaPath;
}

/** Sends a file that is already on the server, which copies it: nothing is uploaded again. */
export const sendStored = (
  { ticketId, body, quotedId, clientId }: Outgoing,
  stored: StoredFile,
  signal: AbortSignal,
): Promise<Message> =>
  api.post<Message>(
    `/messages/${ticketId}`,
    {
      body,
      mediaPath: pathOf(stored),
      fromMe: true,
      read: true,
      quotedMsg: quotedId === null ? null : { id: quotedId },
      clientId,
    },
    { signal },
  );
