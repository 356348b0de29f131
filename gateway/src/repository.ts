import { createHash } from 'node:crypto';
import {
  DEFAULT_CONNECTION_CONFIG,
  isPnUser,
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
/** A group message has two ciphertexts; in one slot the second would hide the first. */
const SLOTS = 1024;

/**
 * Baileys' signal repository over our key store: decryption returns after the message and its key
 * changes are stored in one write.
 *
 * Every operation is a transaction of its own, because Baileys' own transaction around a send ends
 * after the frame was sent. A message may be delivered again because its owner died before the
 * acknowledgement: it is recognised by its ciphertext and treated as empty, because its content is
 * already stored.
 */
export function persistFirst(
  keys: KeyStore,
  commits: CommitQueue,
  envelopes: Envelopes,
  /** Devices that could not read a message of ours or have new keys: they get a new session. */
  renewals: Set<string>,
): Make {
  return (auth, logger, pnToLid) => {
    const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
    const base = make({ creds: auth.creds, keys }, logger, pnToLid);
    const handled = new Set<string>();

    /**
     * One change of a person's session at a time.
     *
     * Baileys locks the address that it was given, but keeps the session under the LID: encrypting
     * for the number while a message from the LID is decrypted would lose a step of the ratchet.
     */
    const alone = async <T>(jid: string, work: () => Promise<T>): Promise<T> =>
      keys.transaction(work, await addressOf(jid));

    /** The address under which Baileys keeps the session of a device. */
    const addressOf = async (jid: string): Promise<string> => {
      const lid = isPnUser(jid) ? await base.lidMapping.getLIDForPN(jid) : null;
      return base.jidToSignalProtocolAddress(lid ?? jid);
    };

    /** Whether the session with this device must be replaced; each request counts once. */
    const takeRenewal = async (jid: string): Promise<boolean> => {
      const address = await addressOf(jid);
      for (const one of renewals) {
        if ((await addressOf(one)) === address) return renewals.delete(one);
      }
      return false;
    };

    const decrypt = async (
      ciphertext: Uint8Array,
      locked: (change: () => Promise<Uint8Array>) => Promise<Uint8Array>,
      work: () => Promise<Uint8Array>,
    ): Promise<Uint8Array> => {
      const hash = createHash('sha256').update(ciphertext).digest();
      const digest = hash.toString('base64');
      const slot = String(hash.readUInt16BE(0) % SLOTS);
      let bytes: Uint8Array;
      try {
        bytes = await locked(async () => {
          const padded = await work();
          const decoded = proto.Message.decode(unpadRandomMax16(padded));
          const message = whatWasSent(decoded);
          // An invalid group key leaves the message itself readable; Baileys does the same.
          await takeSenderKey(message, envelopes.authorOf(ciphertext)).catch(() => undefined);
          const follows = await envelopes.changesOf(ciphertext, message);
          keys.write({ received: { [slot]: digest }, ...follows.keys }, follows.events);
          return padded;
        });
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
        decrypt(
          given.ciphertext,
          (change) => alone(given.jid, change),
          () => base.decryptMessage(given),
        ),
      decryptGroupMessage: (given) =>
        decrypt(
          given.msg,
          (change) => keys.transaction(change, given.group),
          () => base.decryptGroupMessage(given),
        ),
      encryptMessage: (given) => alone(given.jid, () => base.encryptMessage(given)),
      migrateSession: (from, to) => alone(to, () => base.migrateSession(from, to)),
      // Baileys begins a session with everybody whose devices it looks up, also where there is one:
      // what the other side encrypted with the earlier one meanwhile would be unreadable.
      injectE2ESession: (given) =>
        alone(given.jid, async () => {
          const known = await base.getSessionInfo(given.jid);
          const isSame = known?.registrationId === given.session.registrationId;
          if (!(await takeRenewal(given.jid)) && isSame) return;
          await base.injectE2ESession(given);
        }),
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
