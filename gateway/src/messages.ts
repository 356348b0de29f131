import { cleanMessage, decodeMessageNode, isJidGroup, proto } from 'baileys';
import type { BinaryNode, WAMessage, WAMessageKey } from 'baileys';
import { contentOf, wholeOf } from './content.js';
import type { GatewayEvent, JsonObject, KeyValues, Person } from './contract.js';
import { eventId } from './events.js';
import { isConversation, person, plain } from './jids.js';
import type { KeyStore } from './key-store.js';
import type { Envelopes } from './repository.js';
import type { Unfinished } from './unfinished.js';

/** A raw form beyond this is no message of people; one commit takes 8 MB. */
const LARGEST_RAW = 512 * 1024;

/** Our own addresses and name. */
export interface Me {
  id: string;
  lid?: string | undefined;
  name?: string | undefined;
}

/** The id of a message's event: the same however often, and by whatever way, it comes. */
export function messageEventId(key: WAMessageKey): string {
  const chat = plain(key.remoteJid);
  const sender = isJidGroup(chat) ? `:${plain(key.participant)}` : '';
  return eventId(`m:${chat}:${key.id ?? ''}${sender}`);
}

/** Turns what Baileys has of messages into events. */
export class Messages implements Envelopes {
  private readonly nodes = new WeakMap<Uint8Array, BinaryNode>();

  constructor(
    private readonly keys: KeyStore,
    private readonly unfinished: Unfinished,
    private readonly me: () => Me,
  ) {}

  /** Remember which `<message>` each ciphertext came in. */
  note(node: BinaryNode): void {
    for (const { content } of Array.isArray(node.content) ? node.content : []) {
      if (content instanceof Uint8Array) this.nodes.set(content, node);
    }
  }

  authorOf(ciphertext: Uint8Array): string {
    const { participant, from } = this.nodes.get(ciphertext)?.attrs ?? {};
    return participant ?? from ?? '';
  }

  async changesOf(
    ciphertext: Uint8Array,
    message: proto.IMessage,
  ): Promise<{ keys: KeyValues; events: GatewayEvent[] }> {
    const node = this.nodes.get(ciphertext);
    if (!node) return { keys: {}, events: [] };
    const me = this.me();
    const { fullMessage } = decodeMessageNode(node, me.id, me.lid ?? '');
    fullMessage.message = proto.Message.create(message);
    cleanMessage(fullMessage, me.id, me.lid ?? '');
    const event = await this.event(fullMessage);
    // Nothing for a person, from our own phone: Baileys has something to do.
    const isOrder = !event && fullMessage.key.fromMe && message.protocolMessage;
    const keys = isOrder ? await this.unfinished.keeping(fullMessage) : {};
    return { keys, events: event ? [event] : [] };
  }

  /** The event of a message; null for what is no message to a person. */
  async event(message: WAMessage, isHistory = false): Promise<GatewayEvent | null> {
    const { key } = message;
    const chat = plain(key.remoteJid);
    if (!key.id || !isConversation(chat)) return null;
    const content = contentOf(message.message);
    if (!content) return null;
    const isGroup = isJidGroup(chat) ?? false;
    const other = isGroup ? { number: '', lid: '' } : await this.resolve(chat, key.remoteJidAlt);
    const { id: mine, lid: mineToo, name } = this.me();
    const sender = key.fromMe
      ? person(mine, mineToo)
      : isGroup
        ? await this.resolve(key.participant, key.participantAlt)
        : other;
    const payload: JsonObject = {
      externalId: key.id,
      chat: { ...other, group: isGroup ? chat : '' },
      sender: { ...sender, name: (key.fromMe ? name : message.pushName) ?? '' },
      fromMe: key.fromMe ?? false,
      sentAt: wholeOf(message.messageTimestamp),
      ...(content as unknown as JsonObject),
      isHistory,
      raw: rawOf(message),
    };
    return { id: messageEventId(key), kind: 'message', partition: chat, at: Date.now(), payload };
  }

  /** Number and LID of somebody, the missing one from what was learnt before. */
  async resolve(...jids: (string | null | undefined)[]): Promise<Person> {
    const found = person(...jids);
    if (found.lid && !found.number) {
      const reverse = `${found.lid.split('@')[0] ?? ''}_reverse`;
      const { [reverse]: number } = await this.keys.read('lid-mapping', [reverse]);
      if (typeof number === 'string') found.number = number;
    } else if (found.number && !found.lid) {
      const { [found.number]: lid } = await this.keys.read('lid-mapping', [found.number]);
      if (typeof lid === 'string') found.lid = `${lid}@lid`;
    }
    return found;
  }
}

function rawOf(message: WAMessage): JsonObject {
  const whole = proto.WebMessageInfo.fromObject(message);
  const raw = proto.WebMessageInfo.toObject(whole, {
    bytes: String,
    longs: String,
    enums: String,
  });
  return JSON.stringify(raw).length <= LARGEST_RAW ? raw : {};
}
