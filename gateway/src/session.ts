import { setTimeout as delay } from 'node:timers/promises';
import { initAuthCreds } from 'baileys';
import type { AuthenticationCreds, ConnectionState, WASocket } from 'baileys';
import { Addresses } from './addresses.js';
import { now } from './clock.js';
import { CommitQueue } from './commits.js';
import type { Config } from './config.js';
import { Connection, HttpRefusal } from './connection.js';
import type {
  ClaimedSession,
  GatewayEvent,
  JsonObject,
  SessionReason,
  SessionSettings,
  SessionStatus,
} from './contract.js';
import { event } from './events.js';
import { farewell } from './farewell.js';
import { GroupNames } from './groups.js';
import { person } from './jids.js';
import { encoded, KeyStore, revived } from './key-store.js';
import { log, reasonOf } from './logging.js';
import type { Messages } from './messages.js';
import { next, statusOf } from './reconnecting.js';
import { SentMessages } from './sent-messages.js';
import type { ServerClient, ServerError } from './server-client.js';
import type { Waits } from './waits.js';

/** The status for a connection that was deleted at the server. */
const GONE = 410;
/** How long a session that ends waits for its last writes. */
const LEAVING_MS = 5_000;

/** How often a session that must not connect yet asks again. */
const ASKED_AGAIN_MS = 250;

/** What a session needs of the process that owns it. */
interface Owner {
  waits: Waits;
  /** Whether no other process can own the session by now. */
  mayConnect: () => boolean;
  onDropped: (session: Session) => void;
}

interface Report {
  status: SessionStatus;
  more: { reason?: SessionReason; detail?: string } & JsonObject;
}

/** One QR session that this process owns in one epoch: from its claim until it is dropped. */
export class Session {
  readonly id: number;
  readonly epoch: number;
  readonly sent = new SentMessages(() => this.keys);
  readonly addresses = new Addresses(() => this.keys);
  private readonly groups = new GroupNames();
  private readonly commits: CommitQueue;
  private readonly closing = new AbortController();
  private settings: SessionSettings;
  private keys: KeyStore;
  private credentials: AuthenticationCreds;
  private connection: Connection | null = null;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private codes = 0;
  /**
   * The number of events with generated ids; these ids must not repeat after the session is linked
   * again.
   */
  private facts = 0;
  /** This connection offers a pairing code to type. */
  private hasTyped = false;
  /** The session was closed permanently, until a user requests it again. */
  hasEnded = false;
  /** This connection has shown a code. */
  hasOffered = false;
  private reports = 0;
  private lastReport: Report | null = null;
  /** The repeated report, until it is stored. */
  private repeating: Promise<void> | null = null;
  private openedAs: WASocket | null = null;
  private linkNumber: string;
  /** The event, pending or stored, that the server keeps failing a call. */
  private warning: Promise<void> | null = null;

  constructor(
    private readonly config: Config,
    server: ServerClient,
    claimed: ClaimedSession,
    /** The end of the lease, on `clock.now`. */
    private deadline: number,
    private readonly owner: Owner,
  ) {
    this.id = claimed.session;
    this.epoch = claimed.epoch;
    this.settings = claimed.settings;
    this.linkNumber = claimed.link?.number ?? '';
    const onLost = (error: ServerError) => {
      log('session refused', { session: this.id, epoch: this.epoch, code: error.code });
      if (error.status === GONE) this.abandon();
      else this.drop();
    };
    this.commits = new CommitQueue(server, this.id, this.epoch, onLost, (status) =>
      status ? this.failing(status) : void this.mended(),
    );
    this.keys = new KeyStore(this.commits);
    this.credentials = claimed.credentials
      ? (revived(claimed.credentials) as AuthenticationCreds)
      : initAuthCreds();
  }

  /** Whether this process still owns the session. */
  get isOurs(): boolean {
    return !this.closing.signal.aborted && now() < this.deadline;
  }

  get isLinked(): boolean {
    return this.credentials.account !== undefined;
  }

  /** The open connection's socket; null while there is none. */
  get open(): WASocket | null {
    return this.isOurs ? this.openedAs : null;
  }

  get people(): Messages | null {
    return this.connection?.people ?? null;
  }

  /** The server renewed the lease. */
  renew(deadline: number, settings: SessionSettings | undefined): void {
    this.deadline = deadline;
    if (settings) this.settings = settings;
  }

  /** Drop the session when its lease is over. */
  dropIfOver(): void {
    if (!this.isOurs) this.drop();
  }

  start(): void {
    this.report('OPENING');
    this.connect();
  }

  /** Close at once, without logging out; nothing is written any more. */
  drop(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort(new Error('The session was dropped.'));
    this.disconnect();
    this.commits.close();
    log('session dropped', { session: this.id, epoch: this.epoch });
    this.owner.onDropped(this);
  }

  /** Store what was received, then drop; WhatsApp delivers again what could not be stored. */
  async leave(): Promise<void> {
    this.disconnect();
    await this.stored();
    this.drop();
  }

  /**
   * Unlink this device, delete its keys and drop the session.
   *
   * Returns false if the phone could not be told: the server keeps the keys for another attempt.
   */
  async logout(): Promise<boolean> {
    const isTold = await this.tellPhone();
    this.disconnect();
    this.hasEnded = true;
    if (isTold) {
      await this.wipe();
      this.report('DISCONNECTED', { reason: 'logged_out' });
    }
    await this.leave();
    return isTold;
  }

  private async tellPhone(): Promise<boolean> {
    const { open, isLinked } = this;
    if (!isLinked) return true;
    if (open && !this.commits.isStuck) {
      const isSaid = await open.logout().then(
        () => true,
        () => false,
      );
      if (isSaid) return true;
    }
    if (!this.isOurs) return false;
    // There is no connection, or it must not send anything more.
    this.disconnect();
    return farewell(this.config, this.settings, this.credentials);
  }

  /** Resolves when all is stored, or after a timeout. */
  private async stored(): Promise<void> {
    const settled = this.commits.settled().catch(() => undefined);
    await Promise.race([settled, delay(LEAVING_MS, undefined, { ref: false })]);
  }

  /** The connection was deleted: no other process would ever unlink this device. */
  private abandon(): void {
    const { config, settings, credentials, isLinked } = this;
    this.drop();
    if (isLinked) void farewell(config, settings, credentials);
  }

  /**
   * Close, and wait until the session is requested again: at the server it has no owner any more.
   */
  private async end(
    status: SessionStatus,
    more: { reason: SessionReason; detail?: string },
  ): Promise<void> {
    this.hasEnded = true;
    this.disconnect();
    this.report(status, more);
    await this.commits.settled().catch(() => undefined);
    this.drop();
  }

  /** Offer new codes, or reconnect. */
  renewCodes(number = ''): void {
    this.codes = 0;
    this.failures = 0;
    this.linkNumber = number;
    this.disconnect();
    this.start();
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    this.owner.waits.leave(this);
    this.openedAs = null;
    this.connection?.close();
    this.connection = null;
  }

  private connect(): void {
    if (!this.isOurs) {
      this.drop();
      return;
    }
    if (!this.owner.mayConnect()) {
      this.timer = setTimeout(() => this.connect(), ASKED_AGAIN_MS);
      return;
    }
    this.hasOffered = false;
    this.hasTyped = false;
    // A requested pairing code leaves incomplete credentials; the next offer needs new ones.
    if (!this.isLinked) this.credentials = initAuthCreds();
    this.connection = new Connection({
      config: this.config,
      settings: () => this.settings,
      credentials: this.credentials,
      keys: this.keys,
      commits: this.commits,
      sent: this.sent,
      groups: this.groups,
      addresses: this.addresses,
      isOurs: () => this.isOurs,
      factId: () => {
        this.facts += 1;
        return `${this.epoch}:${this.facts}`;
      },
      onCredentials: () => this.store(),
      onUpdate: (update) => this.follow(update),
    });
  }

  private store(): void {
    if (!this.isLinked) return;
    void this.commits.append({ credentials: encoded(this.credentials) });
  }

  /** Report the last status once more: the server does not know it. */
  reportAgain(): void {
    if (!this.lastReport || this.repeating) return;
    const { status, more } = this.lastReport;
    this.repeating = this.commits
      .append({ events: [this.reported(status, more)] })
      .catch(() => undefined)
      .finally(() => {
        this.repeating = null;
      });
  }

  private report(status: SessionStatus, more: Report['more'] = {}): void {
    void this.commits.append({ events: [this.reported(status, more)] });
  }

  private reported(status: SessionStatus, more: Report['more'] = {}): GatewayEvent {
    this.lastReport = { status, more };
    this.reports += 1;
    const id = `session:${this.epoch}:${this.reports}`;
    log('session status', { session: this.id, epoch: this.epoch, status, reason: more.reason });
    return event('session', id, 'session', { status, ...more });
  }

  /** The server keeps failing a call, maybe only that one: users are warned once. */
  private failing(status: number): void {
    if (this.warning) return;
    const detail = `HTTP ${status}`;
    const told = this.reported('OPENING', { reason: 'not_stored', detail });
    this.warning = this.commits.tellAtOnce([told]).catch(() => {
      this.warning = null;
    });
  }

  /** The server accepts calls again: clear the warning. */
  private async mended(): Promise<void> {
    const { warning } = this;
    this.warning = null;
    await warning;
    if (warning && this.open) this.reportOpen();
  }

  private follow(update: Partial<ConnectionState>): void {
    if (update.qr) void this.offer(update.qr);
    if (update.isNewLogin) this.report('PAIRING', { reason: 'scanned' });
    if (update.connection === 'open') this.opened();
    if (update.connection === 'close') void this.closed(update.lastDisconnect?.error);
  }

  private async offer(qr: string): Promise<void> {
    this.codes += 1;
    this.failures = 0;
    this.hasOffered = true;
    if (this.codes > this.settings.qrAttempts) {
      await this.end('TIMEOUT', { reason: 'qr_expired' });
      return;
    }
    // A pairing code stays visible until the connection ends, even if QR codes arrive.
    if (this.hasTyped) return;
    const number = this.linkNumber;
    const isTyped = number && (await this.pairingCode(number).then(Boolean, () => false));
    if (!isTyped) this.report('qrcode', { qr });
  }

  /** Request a pairing code to type on the phone with this number, instead of scanning. */
  async pairingCode(number: string): Promise<string> {
    const { connection } = this;
    if (!connection || this.isLinked) throw new Error('The session offers no code.');
    const code = await connection.socket.requestPairingCode(number.replace(/\D/g, ''));
    this.linkNumber = number;
    this.hasTyped = true;
    this.report('qrcode', { pairingCode: code });
    return code;
  }

  private opened(): void {
    this.failures = 0;
    this.codes = 0;
    this.owner.waits.reached(this);
    this.openedAs = this.connection?.socket ?? null;
    this.reportOpen();
    this.connection?.resume().catch((error: unknown) => {
      log('resuming failed', { session: this.id, error: reasonOf(error) });
    });
  }

  private reportOpen(): void {
    const { me } = this.credentials;
    this.report('CONNECTED', {
      me: { ...person(me?.id, me?.lid), name: me?.name ?? '' },
    });
  }

  private async closed(error: Error | undefined): Promise<void> {
    this.disconnect();
    const code = statusOf(error);
    const detail = error instanceof HttpRefusal ? error.message : String(code);
    const step = next(code, this, this.failures);
    log('connection closed', { session: this.id, epoch: this.epoch, code, detail });
    if (step.kind === 'stop') {
      if (step.wipes) await this.wipe();
      await this.end(step.status, { reason: step.reason, detail });
      return;
    }
    if (step.afterSeconds > 0) this.failures += 1;
    if (step.afterSeconds > 0 && code !== 515) {
      this.report('OPENING', { reason: step.reason, detail });
    }
    const again = (isBack: boolean) => {
      if (isBack) this.failures = 0;
      this.connect();
    };
    this.owner.waits.wait(this, step.afterSeconds, again, { looks: this.isLinked });
  }

  private async wipe(): Promise<void> {
    this.credentials = initAuthCreds();
    // Pending writes of the old device's socket are useless to the next device.
    this.keys.close();
    // State written after the wipe would be taken for the next device's.
    await this.commits.forgetState();
    await this.commits.wipe().catch(() => this.drop());
    this.keys = new KeyStore(this.commits);
  }
}
