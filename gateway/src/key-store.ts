import { AsyncLocalStorage } from 'node:async_hooks';
import { BufferJSON, proto } from 'baileys';
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from 'baileys';
import type { CommitQueue } from './commits.js';
import type { GatewayEvent, Json, KeyValues } from './contract.js';
import { identityEvent } from './events.js';
import { ServerError, type ServerClient } from './server-client.js';

const MOST_CACHED = 20_000;

/** What one transaction gathers: key changes, and the events that must be stored with them. */
interface Transaction {
  keys: KeyValues;
  events: GatewayEvent[];
}

/** A value as JSON that `revived` turns back, buffers included. */
export function encoded(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, BufferJSON.replacer)) as Json;
}

/** What `encoded` was given. */
export function revived(value: Json): unknown {
  return JSON.parse(JSON.stringify(value), BufferJSON.reviver);
}

/**
 * The signal keys of one session: read from the server once, changed here and there together.
 *
 * The session's lease makes this the only copy, so the cache is never stale. Changes are seen at
 * once; the frames that follow from them leave when they are stored (frames.ts).
 */
export class KeyStore implements SignalKeyStoreWithTransaction {
  private readonly cache = new Map<string, string>();
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly locks = new Map<string, Promise<unknown>>();

  constructor(
    private readonly server: ServerClient,
    private readonly session: number,
    private readonly epoch: number,
    private readonly commits: CommitQueue,
    private readonly signal: AbortSignal,
  ) {}

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

  /** Values of any type as JSON; ids without one are left out. */
  async read(type: string, ids: string[]): Promise<Record<string, Json>> {
    const changed = this.current.getStore()?.keys[type] ?? {};
    const missing = ids.filter((id) => !(id in changed) && !this.cache.has(`${type}/${id}`));
    if (missing.length > 0) await this.fill(type, missing);
    const values: Record<string, Json> = {};
    for (const id of ids) {
      const text = this.cache.get(`${type}/${id}`);
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
    const transaction = this.current.getStore();
    if (!transaction) {
      this.apply({ keys, events });
      return;
    }
    for (const [type, values] of Object.entries(keys)) {
      transaction.keys[type] = { ...transaction.keys[type], ...values };
    }
    transaction.events.push(...events);
  }

  isInTransaction(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** All changes that `work` makes are one; one transaction at a time for each `key`. */
  async transaction<T>(work: () => Promise<T>, key: string): Promise<T> {
    if (this.current.getStore()) return work();
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

  private async gather<T>(work: () => Promise<T>): Promise<T> {
    const transaction: Transaction = { keys: {}, events: [] };
    const result = await this.current.run(transaction, work);
    this.apply(transaction);
    return result;
  }

  private apply({ keys, events }: Transaction): void {
    if (Object.keys(keys).length === 0 && events.length === 0) return;
    for (const [type, values] of Object.entries(keys)) {
      for (const [id, value] of Object.entries(values)) {
        this.cache.set(`${type}/${id}`, JSON.stringify(value));
      }
    }
    void this.commits.append({ keys, events });
  }

  private async fill(type: string, ids: string[]): Promise<void> {
    if (this.cache.size > MOST_CACHED && this.commits.isIdle) this.cache.clear();
    const path = `/internal/gateway/sessions/${this.session}/keys/read`;
    const { values } = await this.server
      .callUntilAnswered<{ values: Partial<KeyValues> }>(
        path,
        { epoch: this.epoch, wanted: { [type]: ids } },
        this.signal,
      )
      .catch((error: unknown) => {
        if (error instanceof ServerError) this.commits.refused(error);
        throw error;
      });
    for (const id of ids) {
      const name = `${type}/${id}`;
      // What was written while we asked is newer.
      if (!this.cache.has(name)) this.cache.set(name, JSON.stringify(values[type]?.[id] ?? null));
    }
  }
}

/** A number and a LID that turn out to be one person are told with the keys that say so. */
function identityEvents(keys: KeyValues): GatewayEvent[] {
  return Object.entries(keys['lid-mapping'] ?? {}).flatMap(([id, value]) =>
    id.endsWith('_reverse') || typeof value !== 'string' ? [] : [identityEvent(id, value)],
  );
}
