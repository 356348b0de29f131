import { proto } from 'baileys';
import type { WAMessage, WASocket } from 'baileys';
import type { Json, KeyValues } from './contract.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'unfinished';
const INDEX = 'index';
/** Long enough to fetch a chunk of history; doing it twice changes nothing. */
const DONE_AFTER_MS = 60_000;
const MOST = 50;

/**
 * What the own phone sent for Baileys to act upon: keys, and chunks of history.
 *
 * Baileys acknowledges them before it acts, so they are kept until it had the time, and acted upon
 * again by whoever takes the session over.
 */
export class Unfinished {
  private isClosed = false;

  constructor(
    private readonly keys: KeyStore,
    /** Is what they brought not stored yet? */
    private readonly isBusy: () => boolean,
    private readonly doneAfterMs = DONE_AFTER_MS,
  ) {}

  /** Keep what is not done: the next connection does it. */
  close(): void {
    this.isClosed = true;
  }

  /** The keys that keep a message, to be stored with those that decrypted it. */
  async keeping(message: WAMessage): Promise<KeyValues> {
    const { id } = message.key;
    if (!id) return {};
    const info = proto.WebMessageInfo.fromObject(message);
    const text = Buffer.from(proto.WebMessageInfo.encode(info).finish()).toString('base64');
    const index = (await this.index()).filter((other) => other !== id);
    const dropped = index.splice(0, Math.max(0, index.length + 1 - MOST));
    this.watch(id);
    const removed = Object.fromEntries(dropped.map((other) => [other, null]));
    return { [TYPE]: { ...removed, [id]: text, [INDEX]: [...index, id] } };
  }

  /** Act upon what an earlier owner did not finish. */
  async resume(socket: WASocket): Promise<void> {
    const ids = await this.index();
    const kept = await this.keys.read(TYPE, ids);
    for (const id of ids) {
      const text = kept[id];
      if (typeof text !== 'string') continue;
      const info = proto.WebMessageInfo.decode(Buffer.from(text, 'base64'));
      await socket.upsertMessage(info as WAMessage, 'append');
      this.watch(id);
    }
  }

  private watch(id: string): void {
    const look = () => {
      if (this.isClosed) return;
      if (this.isBusy()) this.watch(id);
      else void this.done(id);
    };
    setTimeout(look, this.doneAfterMs).unref();
  }

  private async done(id: string): Promise<void> {
    await this.keys.transaction(async () => {
      const index = (await this.index()).filter((other) => other !== id);
      this.keys.write({ [TYPE]: { [id]: null, [INDEX]: index } });
    }, TYPE);
  }

  private async index(): Promise<string[]> {
    const { [INDEX]: index } = await this.keys.read(TYPE, [INDEX]);
    return isTexts(index) ? index : [];
  }
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
