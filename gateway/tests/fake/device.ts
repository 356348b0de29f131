import type { proto } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { Bundle, Person } from './person.js';
import type { FakeConnection } from './connection.js';

/** A linked device as WhatsApp knows it: its public keys and what it has not acknowledged. */
export class Device {
  connection: FakeConnection | null = null;
  /** It is being given what waited; what comes meanwhile has its place behind that. */
  private catchingUp: FakeConnection | null = null;
  /** Stanzas that wait for the device's acknowledgement, by id. */
  readonly waiting = new Map<string, BinaryNode>();
  /** How often each stanza was handed to the device. */
  readonly handed = new Map<string, number>();
  /** The device's receipts by message id: '' is delivered. */
  readonly receipts: { id: string; type: string }[] = [];
  /** Acknowledgements with an error. */
  readonly refusals: { id: string; error: string }[] = [];
  readonly preKeys: { keyId: number; publicKey: Uint8Array }[] = [];
  /** Pre-keys that were given to others, each once. */
  readonly given: number[] = [];
  /** Bytes that no log line may hold. */
  readonly noiseKey: Buffer;
  readonly jid: string;
  readonly lid: string;
  private readonly registration: proto.ClientPayload.IDevicePairingRegistrationData;

  constructor(
    readonly owner: Person,
    /** 0 is the phone itself. */
    readonly number: number,
    payload: proto.IClientPayload,
    noiseKey: Buffer,
  ) {
    this.noiseKey = noiseKey;
    this.jid = addressOf(owner.jid, number);
    this.lid = addressOf(owner.lid, number);
    this.registration = payload.devicePairingData ?? {};
  }

  /** What others begin a conversation with; each pre-key is given once. */
  bundle(): Bundle {
    const { eRegid, eIdent, eSkeyId, eSkeyVal, eSkeySig } = this.registration;
    const preKey = this.preKeys.shift();
    if (preKey) this.given.push(preKey.keyId);
    return {
      registrationId: Buffer.from(eRegid ?? []).readUInt32BE(),
      identityKey: prefixed(eIdent),
      signedPreKey: {
        keyId: Buffer.from(eSkeyId ?? []).readUIntBE(0, 3),
        publicKey: prefixed(eSkeyVal),
        signature: eSkeySig ?? new Uint8Array(),
      },
      ...(preKey ? { preKey: { ...preKey, publicKey: prefixed(preKey.publicKey) } } : {}),
    };
  }

  /** Hand a stanza over, now or at the next login, until it is acknowledged. */
  async hand(node: BinaryNode): Promise<void> {
    this.waiting.set(nameOf(node), node);
    if (this.connection?.isOpen && !this.catchingUp) await this.give(node);
  }

  /** The device is connected by this from now on. */
  comeBy(connection: FakeConnection): void {
    this.connection = connection;
    this.catchingUp = connection;
  }

  /** What waited while the device was away, and what comes until all of that is given. */
  async handWaiting(): Promise<void> {
    const { connection } = this;
    for (const node of this.waiting.values()) {
      if (this.connection !== connection) break;
      await this.give({ ...node, attrs: { ...node.attrs, offline: '1' } });
    }
    if (this.catchingUp === connection) this.catchingUp = null;
  }

  private async give(node: BinaryNode): Promise<void> {
    const id = node.attrs.id ?? '';
    this.handed.set(id, (this.handed.get(id) ?? 0) + 1);
    await this.connection?.send(node);
  }
}

/** The name by which a stanza waits: one message has a receipt of each kind and of each member. */
export function nameOf({ tag, attrs }: BinaryNode): string {
  const { id = '', type, participant = '' } = attrs;
  const isReceipt = (tag === 'ack' ? attrs.class : tag) === 'receipt';
  return [id, ...(isReceipt ? [type === 'retry' ? type : '', participant] : [])].join(' ').trim();
}

function addressOf(jid: string, device: number): string {
  return device ? jid.replace('@', `:${device}@`) : jid;
}

function prefixed(key: Uint8Array | null | undefined): Uint8Array {
  const bytes = Buffer.from(key ?? []);
  return bytes.length === 33 ? bytes : Buffer.concat([Buffer.from([5]), bytes]);
}
