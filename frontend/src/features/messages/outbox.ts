import { fileAddress, kindOfFile } from '@/lib/files';
import { createOutbox } from '@/lib/outbox/outbox';
import type { Unsent } from '@/lib/outbox/types';
import { queryClient } from '@/lib/queryClient';
import { setUnsentOfTickets } from '@/stores/unsent';
import { sendFile, sendMenu, sendText, sendUtilityText } from './api';
import { storeMessages } from './cache';
import type { StoredFile } from './composer/composition';
import type { OutgoingMenu } from './interactive/form';
import { sendStored } from './storedFiles';
import type { Message } from './types';

interface Written {
  ticketId: number;
  body: string;
  quoted: Message | null;
  /** A file that is already on the server, which the server copies. */
  stored: StoredFile | null;
  /** An interactive message in place of text and file; older unsent messages lack the field. */
  menu?: OutgoingMenu | null;
  /** A text for a closed window (rules/messages §12). */
  isUtility?: boolean;
}

/** A message from this browser that the server has not stored yet. */
export type OutboxItem = Written & Unsent;

const outbox = createOutbox<Written>({
  name: 'messages',
  placeOf: ({ ticketId }) => ticketId,
  post: async (item, signal, onProgress) => {
    const { ticketId, body, quoted, clientId, file, stored, menu } = item;
    const outgoing = { ticketId, body, quotedId: quoted?.id ?? null, clientId };
    const messages = file
      ? await sendFile(outgoing, file, signal, onProgress)
      : stored
        ? [await sendStored(outgoing, stored, signal)]
        : menu
          ? [await sendMenu(outgoing, menu.input, signal)]
          : [await (item.isUtility ? sendUtilityText : sendText)(outgoing, signal)];
    storeMessages(queryClient, ticketId, messages);
  },
});

export const { useItems: useOutbox, resend: resendItem, remove: removeItem, whenTaken } = outbox;

useOutbox.subscribe(({ items }) =>
  setUnsentOfTickets(
    items
      .filter(({ state }) => state !== 'stored')
      .map(({ ticketId, body, file, stored, state, waits }) => ({
        ticketId,
        text: body || (file?.name ?? stored?.name ?? ''),
        isFailed: state === 'failed',
        waits,
      })),
  ),
);

interface Outgoing extends Omit<Written, 'stored'> {
  file: File | null;
  stored?: StoredFile | null;
}

/** Shows the message at once and sends it after all earlier ones. */
export function send({ file, stored = null, ...written }: Outgoing) {
  const isShown = file && kindOfFile(file) !== 'application';
  const previewUrl = stored
    ? fileAddress(stored.mediaPath)
    : isShown
      ? URL.createObjectURL(file)
      : null;
  outbox.add({ ...written, stored }, file, previewUrl);
}

/** Whether a message of a conversation waits for the server. */
export const waitsFor = (ticketId: number) =>
  useOutbox.getState().items.some((item) => item.ticketId === ticketId && item.waits);

/** A live event may deliver the message before the answer of the sending call, or without it. */
export const settleByEvent = ({ clientId }: Message) => outbox.settle(clientId);
