import { isJidBroadcast, isJidGroup, isLidUser, isPnUser, jidDecode } from 'baileys';
import type { WAMessageKey } from 'baileys';
import type { KeyValues, Person } from './contract.js';
import { address, plain } from './jids.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'addressed';
const BY_LID = 'lid';

/**
 * How WhatsApp addresses each conversation: by number or by LID, as its last message did.
 *
 * Commands name people by number. Where the other side knows the conversation by LID, what is sent
 * to the number begins another one, and a reaction or receipt with it finds no message.
 */
export class Addresses {
  constructor(private readonly keys: () => KeyStore) {}

  /** The change to be stored with a message of the conversation with `chat`, if there is one. */
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

  /** Where a command's `to` leads. */
  async of(to: string): Promise<string> {
    const jid = address(to);
    return isPnUser(jid) ? ((await this.known(jidDecode(jid)?.user ?? '')) ?? jid) : jid;
  }

  /** Who wrote a message of a group, as the group knows them. */
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
