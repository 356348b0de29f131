import { now } from './clock.js';
import { backOff } from './server-client.js';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;
/** The gap between requests: WhatsApp may refuse if it is asked too often. */
const GAP_MS = 1_000;

/**
 * A group whose name is requested: not before a time on `clock.now`, and the number of failed
 * attempts.
 */
interface Asked {
  at: number;
  failures: number;
}

/** The state of a session, which outlives its connections. */
export class GroupNames {
  readonly told = new Set<string>();
  readonly waiting = new Map<string, Asked>();
}

/**
 * The names of groups. WhatsApp sends a name when a group is created or renamed, never with a
 * message. So the name is requested at the first message of each group that this process sees, one
 * group after another. If no name comes, the request is retried with back-off.
 */
export class Groups {
  private isAsking = false;
  private isClosed = false;
  private quietUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly names: GroupNames,
    private readonly subjectOf: (group: string) => Promise<string>,
    private readonly tell: (group: string, subject: string) => void,
  ) {}

  /** Called for each message of the group that is stored, or about to be. */
  meet(group: string): void {
    const { told, waiting } = this.names;
    if (told.has(group) || waiting.has(group)) return;
    waiting.set(group, { at: now(), failures: 0 });
    this.next();
  }

  /** The connection is open: request the names that an earlier connection did not get. */
  resume(): void {
    this.next();
  }

  /** Stop all requests: the next connection continues. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private next(): void {
    if (this.isAsking || this.isClosed) return;
    clearTimeout(this.timer);
    const [first] = [...this.names.waiting].sort(([, one], [, other]) => one.at - other.at);
    if (!first) return;
    const [group, asked] = first;
    const wait = Math.max(asked.at, this.quietUntil) - now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.next(), wait);
      this.timer.unref();
      return;
    }
    this.isAsking = true;
    void this.ask(group, asked).finally(() => {
      this.isAsking = false;
      this.next();
    });
  }

  private async ask(group: string, asked: Asked): Promise<void> {
    // The session's user left the group, WhatsApp did not answer, or the group has no name.
    const subject = await this.subjectOf(group).catch(() => '');
    if (this.isClosed) return;
    if (subject) {
      this.names.waiting.delete(group);
      this.names.told.add(group);
      this.tell(group, subject);
      return;
    }
    const wait = 1000 * backOff(asked.failures, FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
    const failures = asked.failures + 1;
    this.names.waiting.set(group, { at: now() + Math.max(GAP_MS, wait), failures });
    this.quietUntil = now() + GAP_MS;
  }
}
