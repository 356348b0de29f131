import type { Message } from './api';
import { kindOfFile } from '@/lib/files';
import type { OutboxItem } from './outbox';

/** An unsent item in the shape of a message, so that it is drawn like one. */
export function messageOfItem(item: OutboxItem): Message {
  const { file } = item;
  return {
    id: 0,
    ticketId: item.ticketId,
    contactId: 0,
    body: item.body,
    fromMe: true,
    ack: item.state === 'failed' ? -1 : 0,
    mediaType: file ? kindOfFile(file) : 'conversation',
    mediaUrl: item.previewUrl,
    mediaName: file?.name ?? '',
    mediaMime: file?.type ?? '',
    mediaSize: file?.size ?? null,
    mediaSeconds: null,
    mediaState: file ? 'ready' : null,
    isDeleted: false,
    isEdited: false,
    dataJson: null,
    userId: item.userId,
    userName: null,
    source: 'agent',
    errorCode: item.code,
    errorReason: item.reason,
    reactions: [],
    participant: null,
    contact: { id: 0, name: '', number: '', profilePicUrl: '' },
    quotedMsg: item.quoted,
    createdAt: item.createdAt,
    updatedAt: item.createdAt,
  };
}
