import {
  cleanMessage,
  decodeMessageNode,
  getContentType,
  isJidGroup,
  normalizeMessageContent,
  proto,
} from 'baileys';
import type { BinaryNode, WAMessage, WAMessageKey } from 'baileys';
import type { Addresses } from './addresses.js';
import { contentOf, UNKNOWN, wholeOf } from './content.js';
import type { Content } from './content.js';
import type { GatewayEvent, JsonObject, KeyValues, Person } from './contract.js';
import { eventId } from './events.js';
import {
  conversationOf,
  isConversation,
  jidsOf,
  NOBODY,
  partitionOf,
  person,
  plain,
} from './jids.js';
import type { KeyStore } from './key-store.js';
import { log, reasonOf } from './logging.js';
import type { Envelopes } from './repository.js';
import type { Unfinished } from './unfinished.js';
import { Unreadable } from './unreadable.js';

/** A larger raw form is not a human message; one commit takes at most 8 MB. */
const LARGEST_RAW = 512 * 1024;
/** Neither is one with quotes nested deeper than this; the server does not parse such deep JSON. */
const DEEPEST_RAW = 100;
/** Kinds of messages without content, which linked devices never receive. */
const ONLY_ON_PHONE: ReadonlySet<string> = new Set([
  'view_once',
  'view_once_unavailable_fanout',
  'hosted_unavailable_fanout',
  'bot_unavailable_fanout',
]);

/** The session user's addresses and name. */
export interface Me {
  id: string;
  lid?: string | undefined;
  name?: string | undefined;
}

/** The id of a message's event: the same however often and by whatever path the message arrives. */
export function messageEventId(key: WAMessageKey): string {
  const chat = conversationOf(key);
  const sender = isJidGroup(chat) ? `:${plain(key.participant)}` : '';
  return eventId(`m:${chat}:${key.id ?? ''}${sender}`);
}

/** Converts Baileys' messages to events. */
export class Messages implements Envelopes {
  readonly unreadable: Unreadable;
  private readonly nodes = new WeakMap<Uint8Array, BinaryNode>();

  constructor(
    private readonly keys: KeyStore,
    private readonly unfinished: Unfinished,
    private readonly addresses: Addresses,
    private readonly me: () => Me,
    unreadableMs: number,
  ) {
    this.unreadable = new Unreadable(keys, (message) => this.unknown(message), unreadableMs);
  }

  /**
   * Remember the `<message>` of each ciphertext.
   *
   * Returns the event of a message that has no content and will never get any on this device.
   */
  note(node: BinaryNode): GatewayEvent | null {
    const parts = Array.isArray(node.content) ? node.content : [];
    for (const { content } of parts) {
      if (content instanceof Uint8Array) this.nodes.set(content, node);
    }
    if (parts.some(({ tag }) => tag === 'enc' || tag === 'plaintext')) return null;
    const message = this.decoded(node);
    if (!message) return null;
    const type = parts.find(({ tag }) => tag === 'unavailable')?.attrs.type ?? '';
    if (ONLY_ON_PHONE.has(type)) return this.bare(message);
    // The phone is asked to send it again.
    this.unreadable.hold(message);
    return null;
  }

  authorOf(ciphertext: Uint8Array): string {
    const { participant, from } = this.nodes.get(ciphertext)?.attrs ?? {};
    return participant ?? from ?? '';
  }

  holdUnreadable(ciphertext: Uint8Array): void {
    const node = this.nodes.get(ciphertext);
    const message = node ? this.decoded(node) : null;
    if (message) this.unreadable.hold(message);
  }

  /** Store the event of a message that arrived by another path, and mark it as readable. */
  store({ key }: WAMessage, event: GatewayEvent): void {
    this.keys.write(key.id ? this.unreadable.releasing(key.id) : {}, [event]);
  }

  async changesOf(
    ciphertext: Uint8Array,
    message: proto.IMessage,
  ): Promise<{ keys: KeyValues; events: GatewayEvent[] }> {
    const node = this.nodes.get(ciphertext);
    if (!node) return { keys: {}, events: [] };
    const me = this.me();
    const { fullMessage } = decodeMessageNode(node, me.id, me.lid ?? '');
    const { key } = fullMessage;
    fullMessage.message = proto.Message.create(message);
    translated(() => cleanMessage(fullMessage, me.id, me.lid ?? ''), undefined);
    const event = await this.event(fullMessage);
    // Not for people but from the user's own phone: an order for Baileys.
    const isOrder = !event && key.fromMe && message.protocolMessage;
    const order = isOrder ? await this.unfinished.keeping(fullMessage) : {};
    // A group key that arrives before the message is not the message.
    const isWhole = event ?? getContentType(normalizeMessageContent(message));
    const readable = isWhole && key.id ? this.unreadable.releasing(key.id) : {};
    const chat = event ? await this.resolve(conversationOf(key), key.remoteJidAlt) : NOBODY;
    const addressed = event ? await this.addresses.noting(key, chat) : {};
    return { keys: { ...order, ...readable, ...addressed }, events: event ? [event] : [] };
  }

  /** The event of a message; null if it is not for people. */
  async event(message: WAMessage, isHistory = false): Promise<GatewayEvent | null> {
    const { key } = message;
    if (!key.id || !isConversation(conversationOf(key))) return null;
    // One malformed message must not block others or be lost: at least its arrival is reported.
    const content = translated(() => contentOf(message.message), UNKNOWN);
    if (!content) return null;
    const { chat, author } = await this.people(key);
    // In history messages the poll secret is beside the content.
    if (content.poll && message.messageSecret?.length) {
      content.poll.secret ??= Buffer.from(message.messageSecret).toString('base64');
    }
    if (content.vote) content.vote = { ...content.vote, ...(await this.voting(message, author)) };
    return this.told(message, content, chat, author, isHistory);
  }

  /**
   * All addresses of the voter and of the poll's author: the vote is encrypted with one of each,
   * and the message does not say with which.
   */
  private async voting({ key, message }: WAMessage, author: Person): Promise<JsonObject> {
    const poll = normalizeMessageContent(message)?.pollUpdateMessage?.pollCreationMessageKey;
    const { id, lid } = this.me();
    const mine = person(id, lid);
    const chat = conversationOf(key);
    // In a conversation of two, the author is either this account or the contact.
    const theirs = isJidGroup(chat) ? [poll?.participant] : [chat, key.remoteJidAlt];
    const creator = poll?.fromMe ? mine : await this.resolve(...theirs);
    return { voters: jidsOf(key.fromMe ? mine : author), creators: jidsOf(creator) };
  }

  /** The event of a message that cannot be read. */
  private async unknown(message: WAMessage): Promise<GatewayEvent> {
    const { chat, author } = await this.people(message.key);
    return this.told(message, UNKNOWN, chat, author, false);
  }

  /** The same without lookups, from the message's own addresses. */
  private bare(message: WAMessage): GatewayEvent {
    const { key } = message;
    const chat = conversationOf(key);
    const isGroup = isJidGroup(chat) ?? false;
    const other = isGroup ? NOBODY : person(chat, key.remoteJidAlt);
    const author = isGroup ? person(key.participant, key.participantAlt) : other;
    return this.told(message, UNKNOWN, other, author, false);
  }

  private async people(key: WAMessageKey): Promise<{ chat: Person; author: Person }> {
    const chat = conversationOf(key);
    if (!isJidGroup(chat)) {
      const other = await this.resolve(chat, key.remoteJidAlt);
      return { chat: other, author: other };
    }
    const author = key.fromMe ? NOBODY : await this.resolve(key.participant, key.participantAlt);
    return { chat: NOBODY, author };
  }

  private told(
    message: WAMessage,
    content: Content,
    other: Person,
    author: Person,
    isHistory: boolean,
  ): GatewayEvent {
    const { key } = message;
    const chat = conversationOf(key);
    const { id: mine, lid: mineToo, name } = this.me();
    const sender = key.fromMe ? person(mine, mineToo) : author;
    const payload: JsonObject = {
      externalId: key.id ?? '',
      chat: { ...other, group: isJidGroup(chat) ? chat : '' },
      sender: { ...sender, name: (key.fromMe ? name : message.pushName) ?? '' },
      fromMe: key.fromMe ?? false,
      sentAt: wholeOf(message.messageTimestamp),
      ...(content as unknown as JsonObject),
      isHistory,
      raw: translated(() => rawOf(message), {}),
    };
    const partition = partitionOf(chat, other);
    return { id: messageEventId(key), kind: 'message', partition, at: Date.now(), payload };
  }

  /** The envelope of a `<message>` to a person, without content; null for other messages. */
  private decoded(node: BinaryNode): WAMessage | null {
    const { id, lid } = this.me();
    if (node.attrs.category === 'peer') return null;
    const message = translated(() => decodeMessageNode(node, id, lid ?? '').fullMessage, null);
    return message && isConversation(conversationOf(message.key)) ? message : null;
  }

  /** The number and LID of a person; a missing one is looked up. */
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
  const isTooMuch = JSON.stringify(raw).length > LARGEST_RAW || !isFlat(raw, DEEPEST_RAW);
  return isTooMuch ? {} : raw;
}

function isFlat(value: unknown, deepest: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return deepest > 0 && Object.values(value).every((part) => isFlat(part, deepest - 1));
}

/** The result of `work` on content from others, or `otherwise` if it throws. */
function translated<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    log('message not understood', { error: reasonOf(error) });
    return otherwise;
  }
}
