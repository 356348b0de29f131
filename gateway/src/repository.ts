import { createHash } from 'node:crypto';
import {
  DEFAULT_CONNECTION_CONFIG,
  MISSING_KEYS_ERROR_TEXT,
  proto,
  unpadRandomMax16,
} from 'baileys';
import type { SocketConfig } from 'baileys';
import type { CommitQueue } from './commits.js';
import type { GatewayEvent, KeyValues } from './contract.js';
import type { KeyStore } from './key-store.js';

type Make = SocketConfig['makeSignalRepository'];

/** What is known about a ciphertext besides its content. */
export interface Envelopes {
  /** The sender; '' if it came in no message. */
  authorOf: (ciphertext: Uint8Array) => string;
  /** Called if it cannot be decrypted: keeps the fact that it came. */
  holdUnreadable: (ciphertext: Uint8Array) => void;
  /** The changes to store with the keys that decrypted it. */
  changesOf: (
    ciphertext: Uint8Array,
    message: proto.IMessage,
  ) => Promise<{ keys: KeyValues; events: GatewayEvent[] }>;
}

/** A padded message without content: Baileys acknowledges it and does nothing else. */
const EMPTY = Buffer.from([1]);
const SLOTS = 128;

/**
 * Baileys' signal repository over our key store: decryption returns after the message and its key
 * changes are stored in one write.
 *
 * Every operation is a transaction of its own, because Baileys' own transaction around a send ends
 * after the frame was sent. A message may be delivered again because its owner died before the
 * acknowledgement: it is recognised by its ciphertext and treated as empty, because its content is
 * already stored.
 */
export function persistFirst(keys: KeyStore, commits: CommitQueue, envelopes: Envelopes): Make {
  return (auth, logger, pnToLid) => {
    const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
    const base = make({ creds: auth.creds, keys }, logger, pnToLid);
    const handled = new Set<string>();

    const decrypt = async (
      ciphertext: Uint8Array,
      lock: string,
      work: () => Promise<Uint8Array>,
    ): Promise<Uint8Array> => {
      const hash = createHash('sha256').update(ciphertext).digest();
      const digest = hash.toString('base64');
      const slot = String(hash.readUInt16BE(0) % SLOTS);
      let bytes: Uint8Array;
      try {
        bytes = await keys.transaction(async () => {
          const padded = await work();
          const decoded = proto.Message.decode(unpadRandomMax16(padded));
          const message = whatWasSent(decoded);
          // An invalid group key leaves the message itself readable; Baileys does the same.
          await takeSenderKey(message, envelopes.authorOf(ciphertext)).catch(() => undefined);
          const follows = await envelopes.changesOf(ciphertext, message);
          keys.write({ received: { [slot]: digest }, ...follows.keys }, follows.events);
          return padded;
        }, lock);
      } catch (error) {
        const { [slot]: seen } = await keys.read('received', [slot]);
        if (seen !== digest) {
          const isKnown = error instanceof Error && error.message === MISSING_KEYS_ERROR_TEXT;
          if (!isKnown) envelopes.holdUnreadable(ciphertext);
          throw error;
        }
        bytes = EMPTY;
      }
      await commits.settled();
      return bytes;
    };

    /** A group's key comes inside another message and must be stored together with it. */
    const takeSenderKey = async (message: proto.IMessage, authorJid: string) => {
      const item = message.senderKeyDistributionMessage;
      if (!item?.groupId || !authorJid) return;
      await base.processSenderKeyDistributionMessage({ item, authorJid });
      handled.add(senderKeyName(item, authorJid));
    };

    return {
      ...base,
      lidMapping: base.lidMapping,
      decryptMessage: (given) =>
        decrypt(given.ciphertext, given.jid, () => base.decryptMessage(given)),
      decryptGroupMessage: (given) =>
        decrypt(given.msg, given.group, () => base.decryptGroupMessage(given)),
      processSenderKeyDistributionMessage: async (given) => {
        if (handled.delete(senderKeyName(given.item, given.authorJid))) return;
        await base.processSenderKeyDistributionMessage(given);
      },
    };
  };
}

/**
 * The content; for messages of our own phone with the poll secret, which may be outside the inner
 * message.
 */
function whatWasSent(decoded: proto.Message): proto.IMessage {
  const inner = decoded.deviceSentMessage?.message;
  if (inner && decoded.messageContextInfo) inner.messageContextInfo ??= decoded.messageContextInfo;
  return inner ?? decoded;
}

function senderKeyName(
  item: proto.Message.ISenderKeyDistributionMessage,
  authorJid: string,
): string {
  const bytes = item.axolotlSenderKeyDistributionMessage ?? new Uint8Array();
  return `${item.groupId ?? ''} ${authorJid} ${Buffer.from(bytes).toString('base64')}`;
}
