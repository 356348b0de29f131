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

/** So often in a row the server fails one call before that is told: about a quarter of a minute. */
const MOST_FAULTS = 8;

/**
 * The writes of one session, in order, each batch as large as the last call left it.
 *
 * While the server is down they wait; when it says that the session is not ours, everything waiting
 * fails and `onLost` is told once. A write that it never takes for what is in it is stored as much
 * as it takes: WhatsApp would give the same again, and nothing behind it would get through.
 */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private running = false;
  private last: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  /** Ends the tries of the batch that is being written. */
  private trying = new AbortController();
  private batch: Promise<void> = Promise.resolve();
  /** Calls that the server fails again and again. */
  private failing = 0;
  /** Writes of state so far. */
  private writes = 0;

  constructor(
    private readonly server: ServerClient,
    private readonly session: number,
    private readonly epoch: number,
    private readonly onLost: (error: ServerError) => void,
    /** The server still fails a call, with this status; 0: it takes them again. */
    private readonly onFailing: (status: number) => void = () => undefined,
  ) {}

  /** Does the server fail what it has to take before anything else goes on? */
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
    // Whoever sends a frame looks at `settled`; nobody has to look at each write.
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

  /** Fail what waits and write no more. */
  close(): void {
    this.closing.abort(new Error('The session was dropped.'));
    for (const { failed } of this.waiting.splice(0)) failed(new Error('The session was dropped.'));
  }

  /**
   * Write no credentials and keys of what was appended until now, only its events.
   *
   * Resolves when no try that brings them is under way any more: a try runs until the server
   * answers or its time is over, and what follows it comes later at the server, too.
   */
  async forgetState(): Promise<void> {
    for (const one of this.waiting) one.changes = stateless(one.changes);
    this.trying.abort(new Error('The state was forgotten.'));
    await this.batch;
  }

  /**
   * A call for the session was refused for good, and left the server behind us: begin anew from its
   * state. Nothing more is said to WhatsApp, not even that something could not be read.
   */
  refused(error: ServerError): void {
    if (!this.closing.signal.aborted) this.onLost(error);
    this.close();
  }

  private async run(): Promise<void> {
    this.running = true;
    // Everything that happens in this turn goes out together.
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
        // Events that are stored already are answered as stored.
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
      // What is wrong with one of them must not take the others along.
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
   * Call the server for the session, until it answers or the session is over.
   *
   * What it fails again and again may be this call alone: it is told, and tried on.
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

  /** Have the server forget credentials and keys; resolves when they are forgotten. */
  async wipe(): Promise<void> {
    await this.ask('wipe', { write: this.numbered(), reason: 'logged_out' });
  }

  /** Tries of one write have one number: the server takes no state of one after a later one's. */
  private numbered(): number {
    this.writes += 1;
    return this.writes;
  }

  /** Write events past what waits; once, whether it works or not. */
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
    // Nobody may go by an answer that comes after the end.
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
