import { AsyncLocalStorage } from 'node:async_hooks';
import { BufferJSON, proto } from 'baileys';
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from 'baileys';
import { MOST_KEYS } from './changes.js';
import type { CommitQueue } from './commits.js';
import type { GatewayEvent, Json, KeyValues } from './contract.js';
import { identityEvent } from './events.js';
import { ServerError } from './server-client.js';

const MOST_BYTES = 8 * 1024 * 1024;

/** The changes of one transaction: keys, and the events that must be stored with them. */
interface Transaction {
  keys: KeyValues;
  events: GatewayEvent[];
  /**
   * Timers started inside the transaction still see it after its end; their writes are separate.
   */
  isOver: boolean;
}

/** Encodes a value, including buffers, as JSON that `revived` decodes. */
export function encoded(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, BufferJSON.replacer)) as Json;
}

/** Decodes a value from `encoded`. */
export function revived(value: Json): unknown {
  return JSON.parse(JSON.stringify(value), BufferJSON.reviver);
}

/**
 * The signal keys of one session: read from the server once, then changed in the cache and at the
 * server together.
 *
 * The session's lease makes this the only copy, so the cache is never stale. Changes are visible at
 * once; the frames that depend on them are sent after they are stored (frames.ts). If the cache
 * exceeds `mostBytes`, the least recently used stored values are evicted.
 */
export class KeyStore implements SignalKeyStoreWithTransaction {
  /** JSON by type and id, most recently used last. */
  private readonly cache = new Map<string, string>();
  private bytes = 0;
  /** The number of pending writes of each value. */
  private readonly unstored = new Map<string, number>();
  private fills = 0;
  private isClosed = false;
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly locks = new Map<string, Promise<unknown>>();

  constructor(
    private readonly commits: CommitQueue,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Stop writing: the session's keys were deleted, or belong to another owner. */
  close(): void {
    this.isClosed = true;
  }

  /** The size of the cache. */
  get size(): number {
    return this.bytes;
  }

  async get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<Record<string, SignalDataTypeMap[T]>> {
    const values = await this.read(type, ids);
    const found: Record<string, SignalDataTypeMap[T]> = {};
    for (const [id, json] of Object.entries(values)) {
      let value = revived(json);
      if (type === 'app-state-sync-key') {
        value = proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>);
      }
      found[id] = value as SignalDataTypeMap[T];
    }
    return found;
  }

  /** Read values of any type as JSON; ids without a value are omitted. */
  async read(type: string, ids: string[]): Promise<Record<string, Json>> {
    const changed = this.ongoing?.keys[type] ?? {};
    const found = new Map(ids.map((id) => [id, this.used(`${type}/${id}`)]));
    const missing = ids.filter((id) => !(id in changed) && found.get(id) === undefined);
    if (missing.length > 0) await this.fill(type, missing, found);
    const values: Record<string, Json> = {};
    for (const id of ids) {
      const text = this.cache.get(`${type}/${id}`) ?? found.get(id);
      const kept = text === undefined ? null : (JSON.parse(text) as Json);
      const value = id in changed ? changed[id] : kept;
      if (value !== null && value !== undefined) values[id] = value;
    }
    return values;
  }

  set(data: SignalDataSet): void {
    const keys: KeyValues = {};
    for (const [type, values] of Object.entries(data)) {
      keys[type] = {};
      for (const [id, value] of Object.entries(values)) {
        keys[type][id] = value === null ? null : encoded(value);
      }
    }
    this.write(keys, identityEvents(keys));
  }

  /** Change values of any type, and store the events with them. */
  write(keys: KeyValues, events: GatewayEvent[] = []): void {
    const transaction = this.ongoing;
    if (!transaction) {
      this.apply(keys, events);
      return;
    }
    for (const [type, values] of Object.entries(keys)) {
      transaction.keys[type] = { ...transaction.keys[type], ...values };
    }
    transaction.events.push(...events);
  }

  isInTransaction(): boolean {
    return this.ongoing !== undefined;
  }

  /**
   * Commit all changes of `work` as one; transactions with the same `key` run one after another.
   */
  async transaction<T>(work: () => Promise<T>, key: string): Promise<T> {
    if (this.ongoing) return work();
    const earlier = this.locks.get(key) ?? Promise.resolve();
    const mine = earlier.then(() => this.gather(work));
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    this.locks.set(key, ended);
    try {
      return await mine;
    } finally {
      if (this.locks.get(key) === ended) this.locks.delete(key);
    }
  }

  private get ongoing(): Transaction | undefined {
    const transaction = this.current.getStore();
    return transaction?.isOver ? undefined : transaction;
  }

  private async gather<T>(work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = { keys: {}, events: [], isOver: false };
    try {
      const result = await this.current.run(transaction, work);
      this.apply(transaction.keys, transaction.events);
      return result;
    } finally {
      transaction.isOver = true;
    }
  }

  private apply(keys: KeyValues, events: GatewayEvent[]): void {
    if (this.isClosed) return;
    const names = Object.entries(keys).flatMap(([type, values]) =>
      Object.entries(values).map(([id, value]) => {
        const name = `${type}/${id}`;
        this.put(name, JSON.stringify(value));
        this.unstored.set(name, (this.unstored.get(name) ?? 0) + 1);
        return name;
      }),
    );
    if (names.length === 0 && events.length === 0) return;
    this.commits.append({ keys, events }).then(
      () => this.stored(names),
      () => undefined,
    );
  }

  private stored(names: string[]): void {
    for (const name of names) {
      const others = (this.unstored.get(name) ?? 1) - 1;
      if (others > 0) this.unstored.set(name, others);
      else this.unstored.delete(name);
    }
    this.forget();
  }

  /** Ask the server for values, and add them to `found`. */
  private async fill(
    type: string,
    ids: string[],
    found: Map<string, string | undefined>,
  ): Promise<void> {
    this.fills += 1;
    try {
      for (let from = 0; from < ids.length; from += MOST_KEYS) {
        const wanted = ids.slice(from, from + MOST_KEYS);
        const values = (await this.ask(type, wanted))[type];
        for (const id of wanted) {
          const name = `${type}/${id}`;
          const text = JSON.stringify(values?.[id] ?? null);
          found.set(id, text);
          // A value written during the request is newer.
          if (!this.cache.has(name)) this.put(name, text);
        }
      }
      // The value may be evicted before it is read, so it is returned from here.
      for (const [id, text] of found) found.set(id, this.cache.get(`${type}/${id}`) ?? text);
    } finally {
      this.fills -= 1;
      this.forget();
    }
  }

  private async ask(type: string, ids: string[]): Promise<Partial<KeyValues>> {
    try {
      const { values } = await this.commits.ask<{ values: Partial<KeyValues> }>('keys/read', {
        wanted: { [type]: ids },
      });
      return values;
    } catch (error) {
      if (error instanceof ServerError) this.commits.refused(error);
      throw error;
    }
  }

  private used(name: string): string | undefined {
    const text = this.cache.get(name);
    if (text !== undefined) {
      this.cache.delete(name);
      this.cache.set(name, text);
    }
    return text;
  }

  private put(name: string, text: string): void {
    const earlier = this.cache.get(name);
    if (earlier !== undefined) this.bytes -= sizeOf(name, earlier);
    this.cache.delete(name);
    this.cache.set(name, text);
    this.bytes += sizeOf(name, text);
  }

  /**
   * Evict values beyond the limit; not during a read, whose answer could be older than an evicted
   * value.
   */
  private forget(): void {
    if (this.fills > 0) return;
    for (const [name, text] of this.cache) {
      if (this.bytes <= this.mostBytes) return;
      if (this.unstored.has(name)) continue;
      this.cache.delete(name);
      this.bytes -= sizeOf(name, text);
    }
  }
}

function sizeOf(name: string, text: string): number {
  return Buffer.byteLength(name) + Buffer.byteLength(text);
}

/** The events for keys that map a number and a LID to one person. */
function identityEvents(keys: KeyValues): GatewayEvent[] {
  return Object.entries(keys['lid-mapping'] ?? {}).flatMap(([id, value]) =>
    id.endsWith('_reverse') || typeof value !== 'string' ? [] : [identityEvent(id, value)],
  );
}
