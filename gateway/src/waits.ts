import { now } from './clock.js';

/** While no session is connected, one is tried again after this share of the outage so far. */
const LOOKED_AFTER_SHARE = 0.1;
const LOOKED_AFTER_LEAST_MS = 5_000;
const LOOKED_AFTER_MOST_MS = 300_000;
/** After an outage all sessions connect within this time, and a little more for each of them. */
const BACK_WITHIN_MS = 2_000;
const BACK_EACH_MS = 50;

interface Waiting {
  at: number;
  timer: NodeJS.Timeout;
  again: (isBack: boolean) => void;
}

/**
 * The waits of a process's sessions for their next connection.
 *
 * While none of them is connected, WhatsApp is probably out of reach: one session looks often, and
 * when it gets through, the others end their waits. So after an outage nobody waits for what its
 * length has made of the back-off, and during one WhatsApp hears of one session only.
 */
export class Waits {
  private readonly waiting = new Map<object, Waiting>();
  private readonly connected = new Set<object>();
  private awaySince = now();

  /**
   * Call `again` after some seconds, or earlier: with true once WhatsApp is back. `looks`: the session
   * may be the one that looks.
   */
  wait(
    session: object,
    seconds: number,
    again: (isBack: boolean) => void,
    { looks }: { looks: boolean },
  ): void {
    this.leave(session);
    let milliseconds = seconds * 1000;
    const soon = this.lookAfter();
    if (looks && this.connected.size === 0 && milliseconds > soon && !this.isLookedWithin(soon))
      milliseconds = soon * (0.5 + Math.random() / 2);
    this.start(session, milliseconds, again, false);
  }

  /** The session is connected. */
  reached(session: object): void {
    const wasAway = this.connected.size === 0;
    this.leave(session);
    this.connected.add(session);
    if (!wasAway) return;
    const within = BACK_WITHIN_MS + BACK_EACH_MS * this.waiting.size;
    for (const [waiter, { at, again }] of [...this.waiting]) {
      const milliseconds = Math.random() * within;
      if (now() + milliseconds < at) this.start(waiter, milliseconds, again, true);
    }
  }

  /** The session waits no more, and is not connected. */
  leave(session: object): void {
    clearTimeout(this.waiting.get(session)?.timer);
    this.waiting.delete(session);
    if (this.connected.delete(session) && this.connected.size === 0) this.awaySince = now();
  }

  private start(
    session: object,
    milliseconds: number,
    again: (isBack: boolean) => void,
    isBack: boolean,
  ): void {
    clearTimeout(this.waiting.get(session)?.timer);
    const timer = setTimeout(() => {
      this.waiting.delete(session);
      again(isBack);
    }, milliseconds);
    this.waiting.set(session, { at: now() + milliseconds, timer, again });
  }

  private lookAfter(): number {
    const share = (now() - this.awaySince) * LOOKED_AFTER_SHARE;
    return Math.min(LOOKED_AFTER_MOST_MS, Math.max(LOOKED_AFTER_LEAST_MS, share));
  }

  private isLookedWithin(milliseconds: number): boolean {
    const latest = now() + milliseconds;
    return [...this.waiting.values()].some(({ at }) => at <= latest);
  }
}
