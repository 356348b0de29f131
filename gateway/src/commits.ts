import type { GatewayEvent, Json, KeyValues } from './contract.js';
import { ServerError, type ServerClient } from './server-client.js';

/** What one write to the server holds: together or not at all. */
export interface Changes {
  credentials?: Json;
  keys?: KeyValues;
  events?: GatewayEvent[];
}

// docs/gateway.md §3: 2,000 keys, 200 events and 8 MB in one commit.
const MOST_KEYS = 2000;
const MOST_EVENTS = 200;
const MOST_BYTES = 6 * 1024 * 1024;

interface Waiting {
  changes: Changes;
  bytes: number;
  done: () => void;
  failed: (error: Error) => void;
}

/**
 * The writes of one session, in order, each batch as large as the last call left it.
 *
 * While the server is down they wait; when it says that the session is not ours, everything waiting
 * fails and `onLost` is told once.
 */
export class CommitQueue {
  private waiting: Waiting[] = [];
  private running = false;
  private last: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(
    private readonly server: ServerClient,
    private readonly session: number,
    private readonly epoch: number,
    private readonly onLost: (error: ServerError) => void,
  ) {}

  /** Write the changes after all earlier ones; resolves when they are stored. */
  append(changes: Changes): Promise<void> {
    const stored = new Promise<void>((done, failed) => {
      const bytes = JSON.stringify(changes).length;
      this.waiting.push({ changes, bytes, done, failed });
    });
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
      const batch = this.takeBatch();
      try {
        await this.server.callUntilAnswered(
          `/internal/gateway/sessions/${this.session}/commit`,
          { epoch: this.epoch, ...merged(batch) },
          this.closing.signal,
        );
        for (const { done } of batch) done();
      } catch (error) {
        const failure = error instanceof Error ? error : new Error('The write failed.');
        for (const { failed } of batch) failed(failure);
        if (failure instanceof ServerError) this.refused(failure);
        else this.close();
      }
    }
    this.running = false;
  }

  private takeBatch(): Waiting[] {
    let keys = 0;
    let events = 0;
    let bytes = 0;
    const count = this.waiting.findIndex(({ changes, bytes: size }, index) => {
      for (const values of Object.values(changes.keys ?? {})) keys += Object.keys(values).length;
      events += changes.events?.length ?? 0;
      bytes += size;
      return index > 0 && (keys > MOST_KEYS || events > MOST_EVENTS || bytes > MOST_BYTES);
    });
    return this.waiting.splice(0, count === -1 ? this.waiting.length : count);
  }
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
