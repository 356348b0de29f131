import { createHash } from 'node:crypto';
import { proto } from 'baileys';
import type { KeyStore } from './key-store.js';

const TYPE = 'sent-message';
/** The number of messages that a phone may request again after it was off for a while. */
const SLOTS = 512;

/**
 * Recently sent messages, for a recipient's phone that could not decrypt one and requests it again;
 * also after another process takes the session over.
 */
export class SentMessages {
  constructor(private readonly keys: () => KeyStore) {}

  /** Keep a message before it is sent. */
  keep(id: string, message: proto.IMessage): void {
    const bytes = proto.Message.encode(proto.Message.fromObject(message)).finish();
    const text = Buffer.from(bytes).toString('base64');
    this.keys().write({ [TYPE]: { [slotOf(id)]: { id, message: text } } });
  }

  /** The message with this id, if it is among the last ones. */
  async find(id: string): Promise<proto.IMessage | undefined> {
    const slot = slotOf(id);
    const { [slot]: kept } = await this.keys().read(TYPE, [slot]);
    if (!isKept(kept) || kept.id !== id) return undefined;
    return proto.Message.decode(Buffer.from(kept.message, 'base64'));
  }
}

function slotOf(id: string): string {
  return String(createHash('sha256').update(id).digest().readUInt16BE(0) % SLOTS);
}

function isKept(value: unknown): value is { id: string; message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && 'id' in value;
}
