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

/** Nobody that is known. */
export const NOBODY: Person = { number: '', lid: '' };

/** The address without its device; '' for none. */
export function plain(jid: string | null | undefined): string {
  return jid ? jidNormalizedUser(jid) : '';
}

/** Where a command's `to` leads: digits, a LID or a group. */
export function address(to: string): string {
  return to.includes('@') ? to : `${to.replace(/\D/g, '')}@s.whatsapp.net`;
}

/** Number and LID of somebody from one or two addresses of theirs. */
export function person(...jids: (string | null | undefined)[]): Person {
  const found = { ...NOBODY };
  for (const jid of jids) {
    if (!jid) continue;
    if (isPnUser(jid)) found.number ||= jidDecode(jid)?.user ?? '';
    if (isLidUser(jid)) found.lid ||= plain(jid);
  }
  return found;
}

/** The addresses of somebody, by number and by LID, as far as they are known. */
export function jidsOf({ number, lid }: Person): string[] {
  return [...(number ? [address(number)] : []), ...(lid ? [lid] : [])];
}

/**
 * The line in which what is told of a conversation is handled, one after another.
 *
 * Somebody writes by number or by LID, as it comes: it is the LID wherever that is known.
 */
export function partitionOf(chat: string, { number, lid }: Person): string {
  if (isJidGroup(chat)) return chat;
  return lid || (number ? address(number) : chat);
}

/** Is this a conversation of people: somebody's or a group's? */
export function isConversation(jid: string): boolean {
  return isJidGroup(jid) || isPnUser(jid) || isLidUser(jid) || false;
}

/** The conversation of a message: what came through somebody's broadcast list is written by them. */
export function conversationOf(key: WAMessageKey): string {
  const chat = plain(key.remoteJid);
  const isFromList = isJidBroadcast(chat) && chat !== 'status@broadcast' && !key.fromMe;
  return isFromList ? plain(key.participant) : chat;
}
