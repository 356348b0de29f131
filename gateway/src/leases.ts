import { now } from './clock.js';
import type { Config } from './config.js';
import type { ClaimedSession, FarewellOrder, HeldSession, LeaseAnswer } from './contract.js';
import { log, reasonOf } from './logging.js';
import type { ServerClient } from './server-client.js';
import type { Session } from './session.js';
import { Waits } from './waits.js';

const VERSION = 1;
const FIRST_LEASE_SECONDS = 30;
/**
 * A session is closed after nine tenths of its lease, before the server may give it to another
 * process.
 */
const USED_OF_LEASE = 0.9;
const CALLS_PER_LEASE = 3;
const TRIES_PER_LEASE = 15;
const LOOKS_PER_LEASE = 30;
/** Without an answered beat for this long a process may be taken for dead (docs/gateway.md §2). */
const DEAD_MS = 4_500;
const BEAT_TIMEOUT_MS = 1_500;

/** The sessions of this process and their leases. */
export class Leases {
  private readonly sessions = new Map<number, Session>();
  private readonly stopping = new Set<number>();
  /** The devices that are being unlinked, and those already unlinked. */
  private readonly parting = new Set<number>();
  private readonly parted = new Set<number>();
  private leaseSeconds = FIRST_LEASE_SECONDS;
  private timer: NodeJS.Timeout | undefined;
  private guard: NodeJS.Timeout | undefined;
  private calling: Promise<void> | null = null;
  private asked = false;
  private leaving = false;
  private failed = false;
  private calls = 0;
  private hasLoaded = false;
  /** The waits of all sessions for their next connection. */
  private readonly waits = new Waits();
  private beatSeconds = 0;
  private beating: NodeJS.Timeout | null = null;
  /** The beats in a row that were answered, and when the last answered call was made. */
  private steady = 0;
  private heardAt = 0;

  constructor(
    private readonly config: Config,
    private readonly server: ServerClient,
    private readonly address: () => string,
  ) {}

  get count(): number {
    return this.sessions.size;
  }

  /** Returns the session if this process owns it in this epoch. */
  find(id: number, epoch: number): Session | null {
    const session = this.sessions.get(id);
    return session?.isOurs && session.epoch === epoch ? session : null;
  }

  start(): void {
    this.wake();
    this.look();
  }

  /** Make the lease call now; calls do not overlap, and a request during a call causes one more. */
  wake(): void {
    if (this.leaving) return;
    if (this.calling) {
      this.asked = true;
      return;
    }
    clearTimeout(this.timer);
    this.asked = false;
    this.calling = this.call().finally(() => {
      this.calling = null;
      const often = this.failed ? TRIES_PER_LEASE : CALLS_PER_LEASE;
      const seconds = this.leaseSeconds / often;
      this.timer = setTimeout(() => this.wake(), this.asked ? 0 : seconds * 1000);
    });
  }

  /** Close all sessions and release their leases. */
  async leave(): Promise<void> {
    this.leaving = true;
    await this.calling;
    clearTimeout(this.timer);
    clearTimeout(this.guard);
    if (this.beating) clearTimeout(this.beating);
    await Promise.all([...this.sessions.values()].map((session) => session.leave()));
    await this.ask(0, true);
  }

  /** Drop sessions whose lease is over. This must run first after the process was suspended. */
  private look(): void {
    for (const session of [...this.sessions.values()]) session.dropIfOver();
    if (this.leaving) return;
    this.guard = setTimeout(() => this.look(), (this.leaseSeconds / LOOKS_PER_LEASE) * 1000);
  }

  /**
   * Whether the server still takes this process for alive: else another one may have its sessions by
   * now, and a new connection would end the other's.
   */
  private get isHeard(): boolean {
    return this.beatSeconds === 0 || now() - this.heardAt < DEAD_MS;
  }

  /** Beat as often as the server asks for. */
  private beatEvery(seconds: number): void {
    this.beatSeconds = seconds;
    if (seconds > 0 && !this.beating) this.beatIn(0);
  }

  private beatIn(milliseconds: number): void {
    this.beating = setTimeout(() => void this.beat(), milliseconds);
  }

  private async beat(): Promise<void> {
    const asked = now();
    if (asked - this.heardAt > DEAD_MS) this.steady = 0;
    const body = { gateway: this.config.name, steady: this.steady };
    try {
      await this.server.call('/internal/gateway/beat', body, BEAT_TIMEOUT_MS);
      this.steady += 1;
      this.heardAt = asked;
    } catch {
      this.steady = 0;
    }
    this.beating = null;
    if (this.leaving || this.beatSeconds === 0) return;
    this.beatIn(Math.max(0, asked + this.beatSeconds * 1000 - now()));
  }

  private async call(): Promise<void> {
    const asked = now();
    try {
      const room = Math.max(0, this.config.maxSessions - this.sessions.size);
      const answer = await this.ask(room, false);
      this.failed = false;
      this.leaseSeconds = answer.leaseSeconds;
      this.heardAt = Math.max(this.heardAt, asked);
      this.beatEvery(answer.beatSeconds ?? 0);
      await this.take(answer, asked + answer.leaseSeconds * 1000 * USED_OF_LEASE);
    } catch (error) {
      this.failed = true;
      log('lease call failed', { error: reasonOf(error) });
    }
  }

  private async ask(room: number, leaving: boolean): Promise<LeaseAnswer> {
    const held: HeldSession[] = [...this.sessions.values()].map(({ id, epoch }) => ({
      session: id,
      epoch,
    }));
    this.calls += 1;
    const timeoutMs = Math.floor((this.leaseSeconds / CALLS_PER_LEASE) * 1000);
    const parted = [...this.parted];
    const answer = await this.server.call<LeaseAnswer>(
      '/internal/gateway/lease',
      {
        version: VERSION,
        gateway: this.config.name,
        call: this.calls,
        address: this.address(),
        room,
        held,
        ...(parted.length > 0 ? { parted } : {}),
        ...(leaving ? { leaving: true } : {}),
      },
      timeoutMs,
    );
    for (const id of parted) this.parted.delete(id);
    return answer;
  }

  private async take(answer: LeaseAnswer, deadline: number): Promise<void> {
    for (const { session, epoch, settings, report } of answer.held) {
      const found = this.find(session, epoch);
      found?.renew(deadline, settings);
      if (report) found?.reportAgain();
    }
    for (const id of answer.lost) this.sessions.get(id)?.drop();
    for (const { session, epoch, logout } of answer.stop) {
      const found = this.find(session, epoch);
      // Until the session is closed the server repeats the stop, and the lease is renewed.
      found?.renew(deadline, undefined);
      if (found) void this.stop(found, logout);
    }
    for (const order of answer.farewells ?? []) void this.part(order);
    for (const claimed of answer.claimed) await this.claim(claimed, deadline);
  }

  /** Unlink a device; the server repeats the order until we confirm it. */
  private async part(order: FarewellOrder): Promise<void> {
    const { farewell: id } = order;
    if (this.parting.has(id)) return;
    this.parting.add(id);
    try {
      const { partFrom } = await import('./farewell.js');
      const isTold = await partFrom(this.config, order);
      log('farewell', { farewell: id, isTold });
      if (isTold) this.parted.add(id);
      if (isTold) this.wake();
    } catch (error) {
      log('farewell failed', { farewell: id, error: reasonOf(error) });
    } finally {
      this.parting.delete(id);
    }
  }

  private async stop(session: Session, logout: boolean): Promise<void> {
    if (this.stopping.has(session.id)) return;
    this.stopping.add(session.id);
    try {
      if (logout) await session.logout();
      await session.leave();
    } catch (error) {
      log('stop failed', { session: session.id, error: reasonOf(error) });
      session.drop();
    } finally {
      this.stopping.delete(session.id);
      this.wake();
    }
  }

  private async claim(claimed: ClaimedSession, deadline: number): Promise<void> {
    // Baileys is loaded with the first session, because a gateway without sessions does not need
    // its memory.
    const { Session } = await import('./session.js');
    // On a slow machine loading took a large part of the lease, so renew at once.
    if (!this.hasLoaded) this.asked = this.hasLoaded = true;
    this.sessions.get(claimed.session)?.drop();
    const session = new Session(this.config, this.server, claimed, deadline, {
      waits: this.waits,
      mayConnect: () => this.isHeard,
      onDropped: (dropped) => {
        if (this.sessions.get(dropped.id) === dropped) this.sessions.delete(dropped.id);
        // A session that ended by itself may have been requested again meanwhile.
        if (dropped.hasEnded) this.wake();
      },
    });
    this.sessions.set(session.id, session);
    log('session claimed', { session: session.id, epoch: session.epoch });
    session.start();
  }
}
