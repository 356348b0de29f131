import {
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  encodeWAMessage,
  initAuthCreds,
  KEY_BUNDLE_TYPE,
  proto,
  unpadRandomMax16,
  xmppPreKey,
  xmppSignedPreKey,
} from 'baileys';
import type { BinaryNode, KeyPair, SignalDataSet, SignalKeyStore } from 'baileys';
import { silentLogger } from '../../src/logging.js';

/** What a device lets others begin a conversation with. */
export interface Bundle {
  registrationId: number;
  identityKey: Uint8Array;
  signedPreKey: { keyId: number; publicKey: Uint8Array; signature: Uint8Array };
  preKey?: { keyId: number; publicKey: Uint8Array };
}

function memory(): SignalKeyStore {
  const kept = new Map<string, unknown>();
  return {
    get: (type, ids) => {
      const found: Record<string, never> = {};
      for (const id of ids) {
        const value = kept.get(`${type}/${id}`);
        if (value) found[id] = value as never;
      }
      return found;
    },
    set: (data: SignalDataSet) => {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) kept.set(`${type}/${id}`, value);
      }
    },
  };
}

/** Somebody with WhatsApp on a phone: encrypts, decrypts and remembers what came. */
export class Person {
  readonly jid: string;
  readonly lid: string;
  /** By message id, in the order of arrival; a repeat changes nothing. */
  readonly inbox = new Map<string, proto.IMessage>();
  /** How often each message id arrived. */
  readonly arrivals = new Map<string, number>();
  readonly creds = initAuthCreds();
  private readonly keys = addTransactionCapability(memory(), silentLogger, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 1,
  });
  private readonly signal = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: this.creds, keys: this.keys },
    silentLogger,
  );
  private readonly sessions = new Set<string>();
  private readonly knows = new Set<string>();
  private preKeys = 0;

  constructor(
    readonly number: string,
    readonly name: string,
  ) {
    this.jid = `${number}@s.whatsapp.net`;
    this.lid = `9${number.slice(-9)}@lid`;
  }

  /** A key bundle for somebody who writes to us for the first time. */
  async bundle(jid: string): Promise<BinaryNode> {
    this.preKeys += 1;
    const pair: KeyPair = Curve.generateKeyPair();
    await this.keys.set({ 'pre-key': { [this.preKeys]: pair } });
    return {
      tag: 'user',
      attrs: { jid },
      content: [
        { tag: 'registration', attrs: {}, content: encodeBigEndian(this.creds.registrationId) },
        { tag: 'type', attrs: {}, content: KEY_BUNDLE_TYPE },
        { tag: 'identity', attrs: {}, content: this.creds.signedIdentityKey.public },
        xmppSignedPreKey(this.creds.signedPreKey),
        xmppPreKey(pair, this.preKeys),
      ],
    };
  }

  /** The message as an `<enc>` for the device, whose bundle is asked for once. */
  async encrypt(
    device: string,
    message: proto.IMessage,
    bundle: () => Bundle,
  ): Promise<BinaryNode> {
    if (!this.sessions.has(device)) {
      this.sessions.add(device);
      await this.signal.injectE2ESession({ jid: device, session: bundle() });
    }
    const data = encodeWAMessage(message);
    const { type, ciphertext } = await this.signal.encryptMessage({ jid: device, data });
    return { tag: 'enc', attrs: { v: '2', type }, content: ciphertext };
  }

  /** The message for a group, with our key for it the first time. */
  async encryptForGroup(
    group: string,
    device: string,
    message: proto.IMessage,
    bundle: () => Bundle,
  ): Promise<BinaryNode[]> {
    const meId = this.jid;
    const sealed = await this.signal.encryptGroupMessage({
      group,
      meId,
      data: encodeWAMessage(message),
    });
    const part = { tag: 'enc', attrs: { v: '2', type: 'skmsg' }, content: sealed.ciphertext };
    if (this.knows.has(group)) return [part];
    this.knows.add(group);
    const senderKeyDistributionMessage = {
      groupId: group,
      axolotlSenderKeyDistributionMessage: sealed.senderKeyDistributionMessage,
    };
    return [await this.encrypt(device, { senderKeyDistributionMessage }, bundle), part];
  }

  /** Take a message in; returns what it says. */
  async take(id: string, device: string, enc: BinaryNode): Promise<proto.IMessage> {
    this.arrivals.set(id, (this.arrivals.get(id) ?? 0) + 1);
    this.sessions.add(device);
    const bytes = await this.signal.decryptMessage({
      jid: device,
      type: enc.attrs.type as 'pkmsg' | 'msg',
      ciphertext: enc.content as Uint8Array,
    });
    const decoded = proto.Message.decode(unpadRandomMax16(bytes));
    const message = decoded.deviceSentMessage?.message ?? decoded;
    const item = message.senderKeyDistributionMessage;
    if (item) {
      await this.signal.processSenderKeyDistributionMessage({ item, authorJid: device });
      return message;
    }
    if (!this.inbox.has(id)) this.inbox.set(id, message);
    return message;
  }

  /** Take in what came to a group, with the key that came before. */
  async takeOfGroup(id: string, group: string, device: string, enc: BinaryNode): Promise<void> {
    const msg = enc.content as Uint8Array;
    const bytes = await this.signal.decryptGroupMessage({ group, authorJid: device, msg });
    this.inbox.set(id, proto.Message.decode(unpadRandomMax16(bytes)));
  }
}
