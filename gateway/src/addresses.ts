import { isJidBroadcast, isJidGroup, isLidUser, isPnUser, jidDecode } from 'baileys';
import type { WAMessageKey } from 'baileys';
import type { KeyValues, Person } from './contract.js';
import { address, plain } from './jids.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'addressed';
const BY_LID = 'lid';

/**
 * The address by which WhatsApp knows each conversation: number or LID, as in its last message.
 *
 * Commands name people by number. If the other side knows the conversation by LID, a message to the
 * number starts another conversation, and a reaction or receipt sent to it finds no message.
 */
export class Addresses {
  constructor(private readonly keys: () => KeyStore) {}

  /** The key change to store with a message of the conversation `chat`, if there is one. */
  async noting(key: WAMessageKey, chat: Person): Promise<KeyValues> {
    const jid = plain(key.remoteJid);
    if (isJidBroadcast(jid)) return {};
    const isGroup = isJidGroup(jid) ?? false;
    const name = isGroup ? jid : chat.number;
    if (!name) return {};
    const isByLid = isLidUser(isGroup ? plain(key.participant) : jid) ?? false;
    const mode = isByLid ? (isGroup ? BY_LID : jid) : null;
    return (await this.known(name)) === mode ? {} : { [TYPE]: { [name]: mode } };
  }

  /** Resolves a command's `to` to an address. */
  async of(to: string): Promise<string> {
    const jid = address(to);
    return isPnUser(jid) ? ((await this.known(jidDecode(jid)?.user ?? '')) ?? jid) : jid;
  }

  /** The sender of a group message, as addressed in the group. */
  async memberOf(group: string, member: string): Promise<string> {
    const jid = address(member);
    if (!isPnUser(jid) || (await this.known(group)) !== BY_LID) return jid;
    const number = jidDecode(jid)?.user ?? '';
    const { [number]: lid } = await this.keys().read('lid-mapping', [number]);
    return typeof lid === 'string' ? `${lid}@lid` : jid;
  }

  private async known(name: string): Promise<string | null> {
    const { [name]: mode } = await this.keys().read(TYPE, [name]);
    return typeof mode === 'string' ? mode : null;
  }
}
