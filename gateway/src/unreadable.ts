import { createHash } from 'node:crypto';
import type { WAMessage, WAMessageKey } from 'baileys';
import type { GatewayEvent, Json, KeyValues } from './contract.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'unreadable';
const SLOTS = 64;

/** What is kept of a message that nobody can read yet: who wrote it, when, and its id. */
interface Kept {
  key: WAMessageKey;
  name: string;
  sentAt: number;
  since: number;
}

/**
 * Messages that came and could not be read: undecryptable ones, and those that only the phone has.
 *
 * Most come again within seconds, readable. One that does not is told as unknown after `waitMs`,
 * by the next owner or connection too, so that people see that somebody wrote.
 */
export class Unreadable {
  private readonly waiting = new Map<string, Kept>();
  /** What could be read before it is known what an earlier owner kept; null: it is known. */
  private released: Set<string> | null = new Set();
  private isClosed = false;

  constructor(
    private readonly keys: KeyStore,
    private readonly eventOf: (message: WAMessage) => Promise<GatewayEvent | null>,
    private readonly waitMs: number,
  ) {}

  /** Keep what is known of a message until it can be read, or is told. */
  hold(message: WAMessage): void {
    const { key, pushName, messageTimestamp } = message;
    // A closed connection acknowledges nothing: the next one is given the message.
    if (!key.id || this.isClosed) return;
    const slot = slotOf(key.id);
    const earlier = this.waiting.get(slot);
    if (earlier && earlier.key.id !== key.id) {
      void this.tell(slot, earlier).catch(() => undefined);
    }
    const sentAt = Number(messageTimestamp?.toString() ?? 0) || 0;
    const kept: Kept = { key, name: pushName ?? '', sentAt, since: earlierOf(earlier, key) };
    this.keys.write({ [TYPE]: { [slot]: kept as unknown as Json } });
    this.watch(slot, kept);
  }

  /** The change to be stored with a message that can be read now. */
  releasing(id: string): KeyValues {
    const slot = slotOf(id);
    this.released?.add(id);
    if (this.waiting.get(slot)?.key.id !== id) return {};
    this.waiting.delete(slot);
    return { [TYPE]: { [slot]: null } };
  }

  /** Tell nothing any more: the next connection goes on with what is kept. */
  close(): void {
    this.isClosed = true;
  }

  /** Go on with what an earlier owner kept. */
  async resume(): Promise<void> {
    const slots = Array.from({ length: SLOTS }, (_, slot) => String(slot));
    const found = await this.keys.read(TYPE, slots);
    for (const [slot, kept] of Object.entries(found)) {
      if (this.waiting.has(slot) || !isKept(kept)) continue;
      if (this.released?.has(kept.key.id ?? '')) this.keys.write({ [TYPE]: { [slot]: null } });
      else this.watch(slot, kept);
    }
    this.released = null;
  }

  private watch(slot: string, kept: Kept): void {
    this.waiting.set(slot, kept);
    const left = Math.min(this.waitMs, Math.max(0, kept.since + this.waitMs - Date.now()));
    setTimeout(() => void this.tell(slot, kept).catch(() => undefined), left).unref();
  }

  private async tell(slot: string, kept: Kept): Promise<void> {
    if (this.waiting.get(slot) !== kept) return;
    this.waiting.delete(slot);
    const { key, name, sentAt } = kept;
    const told = await this.eventOf({ key, pushName: name, messageTimestamp: sentAt });
    // Another message has the slot by now: this one is kept nowhere else.
    const isTaken = this.waiting.has(slot);
    if (this.isClosed && !isTaken) return;
    this.keys.write(isTaken ? {} : { [TYPE]: { [slot]: null } }, told ? [apart(told)] : []);
  }
}

/** It has an id of its own: the message itself may still come, and is another one then. */
function apart(event: GatewayEvent): GatewayEvent {
  const { externalId } = event.payload;
  const payload = { ...event.payload, externalId: `${externalId as string}-unread` };
  return { ...event, id: `${event.id}:unread`, payload };
}

function earlierOf(earlier: Kept | undefined, key: WAMessageKey): number {
  return earlier && earlier.key.id === key.id ? earlier.since : Date.now();
}

function slotOf(id: string): string {
  return String(createHash('sha256').update(id).digest().readUInt16BE(0) % SLOTS);
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'key' in value && 'since' in value;
}
