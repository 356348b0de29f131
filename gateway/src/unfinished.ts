import { proto } from 'baileys';
import type { WAMessage, WASocket } from 'baileys';
import type { Json, KeyValues } from './contract.js';
import type { KeyStore } from './key-store.js';

const TYPE = 'unfinished';
const INDEX = 'index';
/** Long enough to fetch a chunk of history; processing it twice is harmless. */
const DONE_AFTER_MS = 60_000;
const MOST = 50;

/**
 * Messages from the user's own phone that Baileys must process: keys, and chunks of history.
 *
 * Baileys acknowledges them before it processes them. So they are kept until it had enough time,
 * and processed again by the next owner of the session.
 */
export class Unfinished {
  private isClosed = false;

  constructor(
    private readonly keys: KeyStore,
    /** Whether their results are not stored yet. */
    private readonly isBusy: () => boolean,
    private readonly doneAfterMs = DONE_AFTER_MS,
  ) {}

  /** Keep the unprocessed messages: the next connection processes them. */
  close(): void {
    this.isClosed = true;
  }

  /** The key changes that keep a message, to be stored with the keys that decrypted it. */
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

  /** Process the messages that an earlier owner did not finish. */
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
