import { now } from './clock.js';
import { backOff } from './server-client.js';

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3600;
/** WhatsApp may have refused because it was asked too often. */
const GAP_MS = 1_000;

/** A group whose name is to be asked for: on `clock.now` not before, and how often in vain. */
interface Asked {
  at: number;
  failures: number;
}

/** Of a session, which outlives its connections. */
export class GroupNames {
  readonly told = new Set<string>();
  readonly waiting = new Map<string, Asked>();
}

/**
 * What groups are called. WhatsApp says it when a group is made or renamed and never with a message,
 * so it is asked at the first message of each that this process sees, one after another, and where
 * no name comes again after waits that grow.
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

  /** A message of the group is stored, or about to be. */
  meet(group: string): void {
    const { told, waiting } = this.names;
    if (told.has(group) || waiting.has(group)) return;
    waiting.set(group, { at: now(), failures: 0 });
    this.next();
  }

  /** The connection is open: ask what an earlier one was not told. */
  resume(): void {
    this.next();
  }

  /** Ask nothing any more: the next connection does. */
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
    // Not a member any more, no answer, or no name.
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
