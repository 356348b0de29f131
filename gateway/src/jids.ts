import {
  isJidBroadcast,
  isJidGroup,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
} from 'baileys';
import type { WAMessageKey } from 'baileys';
import type { Person } from './contract.js';

/** An unknown person. */
export const NOBODY: Person = { number: '', lid: '' };

/** The address without its device; '' if there is none. */
export function plain(jid: string | null | undefined): string {
  return jid ? jidNormalizedUser(jid) : '';
}

/** Converts a command's `to` to an address: digits, a LID or a group. */
export function address(to: string): string {
  return to.includes('@') ? to : `${to.replace(/\D/g, '')}@s.whatsapp.net`;
}

/** The number and LID of a person from one or more of their addresses. */
export function person(...jids: (string | null | undefined)[]): Person {
  const found = { ...NOBODY };
  for (const jid of jids) {
    if (!jid) continue;
    if (isPnUser(jid)) found.number ||= jidDecode(jid)?.user ?? '';
    if (isLidUser(jid)) found.lid ||= plain(jid);
  }
  return found;
}

/** The known addresses of a person, by number and by LID. */
export function jidsOf({ number, lid }: Person): string[] {
  return [...(number ? [address(number)] : []), ...(lid ? [lid] : [])];
}

/**
 * The partition key of a conversation: its events are handled one after another.
 *
 * Messages of one person arrive by number or by LID, so the key is the LID if that is known.
 */
export function partitionOf(chat: string, { number, lid }: Person): string {
  if (isJidGroup(chat)) return chat;
  return lid || (number ? address(number) : chat);
}

/** Whether this is a conversation with a person or a group. */
export function isConversation(jid: string): boolean {
  return isJidGroup(jid) || isPnUser(jid) || isLidUser(jid) || false;
}

/**
 * The conversation of a message: a message through a broadcast list belongs to the conversation
 * with its sender.
 */
export function conversationOf(key: WAMessageKey): string {
  const chat = plain(key.remoteJid);
  const isFromList = isJidBroadcast(chat) && chat !== 'status@broadcast' && !key.fromMe;
  return isFromList ? plain(key.participant) : chat;
}
