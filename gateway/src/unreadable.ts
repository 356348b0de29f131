import { createHash } from 'node:crypto';
import type { WAMessage, WAMessageKey } from 'baileys';
import type { GatewayEvent, Json, KeyValues } from './contract.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'unreadable';
const SLOTS = 64;

/** The stored facts about an unreadable message: sender, time and id. */
interface Kept {
  key: WAMessageKey;
  name: string;
  sentAt: number;
  since: number;
}

/**
 * Messages that could not be read: undecryptable ones, and those that only the phone has.
 *
 * Most are resent within seconds in a readable form. Otherwise the message is reported as unknown
 * after `waitMs`, also by the next owner or connection, so that users see that somebody wrote.
 */
export class Unreadable {
  private readonly waiting = new Map<string, Kept>();
  /**
   * Ids of messages that became readable before the stored ones are loaded; null after they are
   * loaded.
   */
  private released: Set<string> | null = new Set();
  private isClosed = false;

  constructor(
    private readonly keys: KeyStore,
    private readonly eventOf: (message: WAMessage) => Promise<GatewayEvent | null>,
    private readonly waitMs: number,
  ) {}

  /** Keep the facts about a message until it can be read or is reported. */
  hold(message: WAMessage): void {
    const { key, pushName, messageTimestamp } = message;
    // A closed connection acknowledges nothing: the next one receives the message again.
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

  /** The key change to store with a message that can be read now. */
  releasing(id: string): KeyValues {
    const slot = slotOf(id);
    this.released?.add(id);
    if (this.waiting.get(slot)?.key.id !== id) return {};
    this.waiting.delete(slot);
    return { [TYPE]: { [slot]: null } };
  }

  /** Stop reporting: the next connection continues with the kept messages. */
  close(): void {
    this.isClosed = true;
  }

  /** Continue with the messages that an earlier owner kept. */
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
    // Another message has the slot now: this one is stored nowhere else.
    const isTaken = this.waiting.has(slot);
    if (this.isClosed && !isTaken) return;
    this.keys.write(isTaken ? {} : { [TYPE]: { [slot]: null } }, told ? [apart(told)] : []);
  }
}

/**
 * Gives the event an id of its own: the message itself may still arrive and is then another event.
 */
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
