import { kindOfFile } from '@/lib/files';
import { createOutbox } from '@/lib/outbox/outbox';
import type { Unsent } from '@/lib/outbox/types';
import { changeQueries, queryClient } from '@/lib/queryClient';
import { setUnsentOfChats } from '@/stores/unsent';
import { sendChatFile, sendChatText } from './api';
import { foldMessage, type MessagePages } from './fold';
import { chatKeys } from './keys';

interface Written {
  chatId: number;
  text: string;
}

/** A message from this browser that the server has not stored yet. */
export type OutboxItem = Written & Unsent;

const outbox = createOutbox<Written>({
  name: 'chat',
  placeOf: ({ chatId }) => chatId,
  post: async (item, signal, onProgress) => {
    const message = item.file
      ? await sendChatFile(item, item.file, signal, onProgress)
      : await sendChatText(item);
    changeQueries<MessagePages>(queryClient, chatKeys.messages(item.chatId), (data) =>
      foldMessage(data, message),
    );
  },
});

export const {
  useItems: useChatOutbox,
  resend: resendItem,
  remove: removeItem,
  settle: settleByEvent,
} = outbox;

useChatOutbox.subscribe(({ items }) =>
  setUnsentOfChats(items.filter(({ state }) => state !== 'stored').length),
);

/** Shows the message at once and sends it after all earlier ones. */
export function send(chatId: number, text: string, file: File | null) {
  const isShown = file && kindOfFile(file) !== 'application';
  outbox.add({ chatId, text }, file, isShown ? URL.createObjectURL(file) : null);
}
