import { amountOf, isTooMuch, lesserForms, parts } from './changes.js';
import type { Amount, Changes } from './changes.js';
import type { GatewayEvent } from './contract.js';
import { log } from './logging.js';
import { ServerError, type ServerClient } from './server-client.js';

interface Waiting {
  changes: Changes;
  amount: Amount;
  done: () => void;
  failed: (error: Error) => void;
}

/**
 * After this many failures of one call in a row a warning is reported: about a quarter of a minute.
 */
const MOST_FAULTS = 8;

/**
 * The writes of one session, in order. Each batch contains all that accumulated during the previous
 * call.
 *
 * While the server is down, writes wait. If the server says that this process does not own the
 * session, all waiting writes fail and `onLost` is called once. If the server refuses a write
 * because of its content, the queue stores as much of it as the server accepts: WhatsApp would
 * deliver the same message again, and it would block all later writes.
 */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private running = false;
  private last: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  /** Aborts the attempts of the current batch. */
  private trying = new AbortController();
  private batch: Promise<void> = Promise.resolve();
  /** The number of calls that keep failing at the server. */
  private failing = 0;
  /** The number of state writes so far. */
  private writes = 0;

  constructor(
    private readonly server: ServerClient,
    private readonly session: number,
    private readonly epoch: number,
    private readonly onLost: (error: ServerError) => void,
    /**
     * Called with the status while the server keeps failing a call; with 0 when it accepts calls
     * again.
     */
    private readonly onFailing: (status: number) => void = () => undefined,
  ) {}

  /** Whether the server keeps failing a call that must succeed before anything else can proceed. */
  get isStuck(): boolean {
    return this.failing > 0;
  }

  /** Write the changes after all earlier ones; resolves when they are stored. */
  append(changes: Changes): Promise<void> {
    const each = parts(changes).map(
      (part) =>
        new Promise<void>((done, failed) => {
          this.waiting.push({ changes: part, amount: amountOf(part), done, failed });
        }),
    );
    const stored = Promise.all(each).then(() => undefined);
    // The frame queue awaits `settled`, so a caller need not handle the rejection of each write.
    stored.catch(() => undefined);
    this.last = stored;
    if (!this.running) void this.run();
    return stored;
  }

  /** Resolves when everything appended until now is stored. */
  settled(): Promise<void> {
    return this.last;
  }

  get isIdle(): boolean {
    return !this.running && this.waiting.length === 0;
  }

  /** Fail all waiting writes and write no more. */
  close(): void {
    this.closing.abort(new Error('The session was dropped.'));
    for (const { failed } of this.waiting.splice(0)) failed(new Error('The session was dropped.'));
  }

  /**
   * Drop credentials and keys from all appended writes and write only their events.
   *
   * Resolves when no attempt with that state is in flight any more. An attempt runs until the
   * server answers or it times out, so a later call also reaches the server later.
   */
  async forgetState(): Promise<void> {
    for (const one of this.waiting) one.changes = stateless(one.changes);
    this.trying.abort(new Error('The state was forgotten.'));
    await this.batch;
  }

  /**
   * A call for the session was finally refused, so the server lacks the latest state: drop the
   * session and start again from the server's state. Nothing more is sent to WhatsApp, not even a
   * retry receipt.
   */
  refused(error: ServerError): void {
    if (!this.closing.signal.aborted) this.onLost(error);
    this.close();
  }

  private async run(): Promise<void> {
    this.running = true;
    // All changes of the same turn go into one batch.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      this.trying = new AbortController();
      this.batch = this.write(this.takeBatch());
      await this.batch;
    }
    this.running = false;
  }

  private async write(batch: Waiting[]): Promise<void> {
    const { signal } = this.trying;
    try {
      await this.store(batch);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error('The write failed.');
      if (signal.aborted && !this.closing.signal.aborted && !(failure instanceof ServerError)) {
        // The server accepts events that are already stored once more.
        const again = batch.map((one) => ({ ...one, changes: stateless(one.changes) }));
        this.waiting.unshift(...again);
        return;
      }
      for (const { failed } of batch) failed(failure);
      if (failure instanceof ServerError) this.refused(failure);
      else this.close();
    }
  }

  private async store(batch: Waiting[]): Promise<void> {
    try {
      await this.call(merged(batch));
    } catch (error) {
      if (!isOfBody(error)) throw error;
      const [only] = batch;
      // An invalid write must not make the other writes of the batch fail.
      if (batch.length > 1) for (const one of batch) await this.store([one]);
      else if (only) await this.storeLess(only, error);
    }
    for (const { done } of batch) done();
  }

  private async storeLess({ changes }: Waiting, refusal: ServerError): Promise<void> {
    const { session } = this;
    const kinds = (changes.events ?? []).map(({ kind }) => kind).join(' ');
    for (const lesser of lesserForms(changes)) {
      try {
        await this.call(lesser);
        log('event refused', { session, kinds, code: refusal.code });
        return;
      } catch (error) {
        if (!isOfBody(error)) throw error;
      }
    }
    throw refusal;
  }

  /**
   * Call the server for the session until it answers or the session is over.
   *
   * Repeated failures may concern this call alone, so they are reported and the call is retried.
   */
  async ask<T>(verb: string, body: object, signal = this.closing.signal): Promise<T> {
    let faults = 0;
    const hear = (status: number) => {
      faults += 1;
      if (faults === MOST_FAULTS) this.failing += 1;
      if (faults >= MOST_FAULTS) this.onFailing(status);
    };
    try {
      return await this.server.callUntilAnswered<T>(
        `/internal/gateway/sessions/${this.session}/${verb}`,
        { epoch: this.epoch, ...body },
        signal,
        hear,
      );
    } finally {
      if (faults >= MOST_FAULTS) this.failing -= 1;
      if (faults >= MOST_FAULTS && !this.isStuck) this.onFailing(0);
    }
  }

  /** Make the server delete credentials and keys; resolves when they are deleted. */
  async wipe(): Promise<void> {
    await this.ask('wipe', { write: this.numbered(), reason: 'logged_out' });
  }

  /**
   * Returns the next write number. All attempts of one write share a number: the server ignores
   * state with a lower number than the last stored one.
   */
  private numbered(): number {
    this.writes += 1;
    return this.writes;
  }

  /** Write events ahead of the queue; one attempt, whether it succeeds or not. */
  async tellAtOnce(events: GatewayEvent[]): Promise<void> {
    const path = `/internal/gateway/sessions/${this.session}/commit`;
    await this.server.call(path, { epoch: this.epoch, events });
  }

  private async call(changes: Changes): Promise<void> {
    if (Object.keys(changes).length === 0) return;
    const { signal } = this.trying;
    const hasState = changes.credentials !== undefined || changes.keys !== undefined;
    const body = hasState ? { write: this.numbered(), ...changes } : changes;
    await this.ask('commit', body, AbortSignal.any([this.closing.signal, signal]));
    // An answer that comes after the session has ended must not be used.
    this.closing.signal.throwIfAborted();
  }

  private takeBatch(): Waiting[] {
    const sum: Amount = { keys: 0, events: 0, bytes: 0 };
    const count = this.waiting.findIndex(({ amount }, index) => {
      sum.keys += amount.keys;
      sum.events += amount.events;
      sum.bytes += amount.bytes;
      return index > 0 && isTooMuch(sum);
    });
    return this.waiting.splice(0, count === -1 ? this.waiting.length : count);
  }
}

function stateless({ events }: Changes): Changes {
  return events?.length ? { events } : {};
}

function isOfBody(error: unknown): error is ServerError {
  return error instanceof ServerError && error.isOfBody;
}

function merged(batch: Waiting[]): Changes {
  const whole: Changes = {};
  for (const { changes } of batch) {
    if (changes.credentials !== undefined) whole.credentials = changes.credentials;
    for (const [type, values] of Object.entries(changes.keys ?? {})) {
      whole.keys ??= {};
      whole.keys[type] = { ...whole.keys[type], ...values };
    }
    if (changes.events?.length) whole.events = [...(whole.events ?? []), ...changes.events];
  }
  return whole;
}
