import type { Connection } from '@/features/connections/api';
import { captionOf } from './kinds';
import type { Message } from './types';

export type Capabilities = Pick<Connection['capabilities'], 'edit' | 'delete' | 'react'>;

/** WhatsApp's own limit, for every kind of connection. */
const EDIT_MS = 15 * 60_000;
const UNFORWARDABLE = new Set(['unknown', 'call_log']);
const TEXTS = new Set(['conversation', 'extendedTextMessage']);
/** Message types whose bodies are not readable text. */
const UNREADABLE = new Set(['vcard', 'locationMessage', 'unknown', 'call_log']);

export interface Circumstances {
  canWrite: boolean;
  capabilities: Capabilities;
  userId: number;
  isAdmin: boolean;
  /** Whether the user may choose other contacts. */
  forwards: boolean;
  now: number;
}

/** The text of a message that can be copied; '' if there is none. */
export const copyableText = (message: Message): string =>
  message.isDeleted || UNREADABLE.has(message.mediaType) || message.body === 'unknown'
    ? ''
    : captionOf(message);

/** The actions that a message allows; the server checks again. */
export function actionsFor(message: Message, circumstances: Circumstances) {
  const { canWrite, capabilities, userId, isAdmin, forwards, now } = circumstances;
  const { fromMe, ack, isDeleted, mediaType, mediaState, mediaUrl } = message;
  // Only a message that the provider knows can be answered; it always knows the contact's messages.
  const isKnown = !isDeleted && (!fromMe || ack > 0);
  const isMine = message.userId === userId || isAdmin;
  const age = now - Date.parse(message.createdAt);
  return {
    reply: canWrite && isKnown,
    react: canWrite && isKnown && capabilities.react,
    forward:
      forwards &&
      !isDeleted &&
      !(fromMe && ack < 0) &&
      !UNFORWARDABLE.has(mediaType) &&
      message.body !== 'unknown' &&
      (mediaState === null || mediaState === 'ready'),
    copy: copyableText(message) !== '',
    download: !isDeleted && Boolean(mediaUrl),
    edit:
      canWrite &&
      capabilities.edit &&
      fromMe &&
      isMine &&
      !isDeleted &&
      ack >= 0 &&
      TEXTS.has(mediaType) &&
      age < EDIT_MS,
    remove: canWrite && capabilities.delete && fromMe && isKnown,
  };
}
