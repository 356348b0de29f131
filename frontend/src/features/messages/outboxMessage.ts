import { kindOfFile, kindOfMime } from '@/lib/files';
import type { OutboxItem } from './outbox';
import type { Message } from './types';

/** Converts an unsent item to the shape of a message, so that it renders like one. */
export function messageOfItem(item: OutboxItem): Message {
  const { file, stored, menu } = item;
  const kind = file ? kindOfFile(file) : stored ? kindOfMime(stored.mime) : null;
  return {
    id: 0,
    clientId: item.clientId,
    ticketId: item.ticketId,
    contactId: 0,
    body: item.body,
    fromMe: true,
    ack: item.state === 'failed' ? -1 : 0,
    mediaType: menu ? 'interactive_list' : (kind ?? 'conversation'),
    mediaUrl: item.previewUrl,
    mediaName: file?.name ?? stored?.name ?? '',
    mediaMime: file?.type ?? stored?.mime ?? '',
    mediaSize: file?.size ?? stored?.size ?? null,
    mediaSeconds: null,
    mediaState: kind ? 'ready' : null,
    isDeleted: false,
    isEdited: false,
    dataJson: menu
      ? JSON.stringify({ interactive: menu.shown })
      : item.isUtility
        ? '{"category":"utility"}'
        : null,
    userId: item.userId,
    userName: null,
    source: 'agent',
    errorCode: item.code,
    errorReason: item.reason,
    reasonCode: '',
    reasonDetail: '',
    reactions: [],
    pollVotes: [],
    participant: null,
    contact: { id: 0, name: '', number: '', profilePicUrl: '' },
    quotedMsg: item.quoted,
    createdAt: item.createdAt,
    updatedAt: item.createdAt,
  };
}
