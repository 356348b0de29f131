import type { IncomingMessage } from 'node:http';
import { isJidGroup, isJidNewsletter, isJidStatusBroadcast, makeWASocket, proto } from 'baileys';
import type {
  AuthenticationCreds,
  BinaryNode,
  ConnectionState,
  WACallEvent,
  WASocket,
} from 'baileys';
import type { Addresses } from './addresses.js';
import type { CommitQueue } from './commits.js';
import type { Config } from './config.js';
import type { GatewayEvent, SessionSettings } from './contract.js';
import { event } from './events.js';
import { holdFrames, rawSocket } from './frames.js';
import { Groups } from './groups.js';
import type { GroupNames } from './groups.js';
import { History } from './history.js';
import { partitionOf, plain } from './jids.js';
import type { KeyStore } from './key-store.js';
import { silentLogger } from './logging.js';
import { messageEventId, Messages } from './messages.js';
import { keepSpare } from './pre-keys.js';
import { acknowledgement, receiptEvents } from './receipts.js';
import { persistFirst } from './repository.js';
import type { SentMessages } from './sent-messages.js';
import { Unfinished } from './unfinished.js';

// Longer than a lease: a frame may wait for the server until the lease ends.
const SEND_TIMEOUT_MS = 45_000;
const FULL: number = proto.HistorySync.HistorySyncType.FULL;
const MOST_RECENT = 2_000;
const CALL_STATES: ReadonlySet<string> = new Set(['offer', 'timeout', 'reject', 'accept']);

/** WhatsApp, or a proxy in front of it, refused the web socket. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  /** In the form in which Baileys keeps codes: a temporary server error. */
  readonly output = { statusCode: 503 };

  constructor(status: number) {
    super(`HTTP ${status}`);
  }
}

/** The dependencies of one connection on its session. */
export interface Surroundings {
  config: Config;
  settings: () => SessionSettings;
  credentials: AuthenticationCreds;
  keys: KeyStore;
  commits: CommitQueue;
  sent: SentMessages;
  groups: GroupNames;
  addresses: Addresses;
  isOurs: () => boolean;
  /** A new id for an event that has no id of its own. */
  factId: () => string;
  onCredentials: () => void;
  onUpdate: (update: Partial<ConnectionState>) => void;
}

/** One web socket to WhatsApp with Baileys on it; its events are committed to the server. */
export class Connection {
  readonly socket: WASocket;
  private readonly messages: Messages;
  private readonly unfinished: Unfinished;
  private readonly history: History;
  private readonly groups: Groups;
  private readonly recent = new Set<string>();
  /** Devices whose session must be replaced (repository.ts). */
  private readonly renewals = new Set<string>();
  private ended = false;

  constructor(private readonly around: Surroundings) {
    const { config, credentials, keys, commits, addresses } = around;
    this.unfinished = new Unfinished(keys, () => this.history.isBusy);
    this.messages = new Messages(
      keys,
      this.unfinished,
      addresses,
      () => credentials.me ?? { id: '' },
      config.unreadableMs,
    );
    this.history = new History(this.messages, commits, around.settings, around.factId);
    this.groups = new Groups(
      around.groups,
      async (group) => (await this.socket.groupMetadata(group)).subject,
      (group, subject) => this.commit([renamed(group, subject)]),
    );
    const { settings } = around;
    this.socket = makeWASocket({
      auth: { creds: credentials, keys },
      logger: silentLogger,
      browser: settings().browser,
      connectTimeoutMs: SEND_TIMEOUT_MS,
      markOnlineOnConnect: settings().markOnline,
      syncFullHistory: settings().syncHistory,
      shouldSyncHistoryMessage: ({ syncType }) =>
        settings().syncHistory || Number(syncType) !== FULL,
      shouldIgnoreJid: (jid) => this.isIgnored(jid),
      emitOwnEvents: false,
      getMessage: (key) => around.sent.find(key.id ?? ''),
      makeSignalRepository: persistFirst(
        keys,
        commits,
        {
          authorOf: (ciphertext) => this.messages.authorOf(ciphertext),
          holdUnreadable: (ciphertext) => this.messages.holdUnreadable(ciphertext),
          changesOf: async (ciphertext, message) => {
            const changes = await this.messages.changesOf(ciphertext, message);
            for (const { id, kind, partition } of changes.events) {
              this.remember(id);
              if (kind === 'message' && isJidGroup(partition)) this.groups.meet(partition);
            }
            return changes;
          },
        },
        this.renewals,
      ),
      ...(config.whatsappUrl ? { waWebSocketUrl: config.whatsappUrl } : {}),
      ...(config.whatsappVersion ? { version: config.whatsappVersion } : {}),
    });
    holdFrames(this.socket, commits, () => around.isOurs() && !this.ended);
    this.listen();
  }

  /** The messages component, which also resolves people to number and LID. */
  get people(): Messages {
    return this.messages;
  }

  /** The connection is open: finish the work that an earlier owner left undone. */
  async resume(): Promise<void> {
    this.groups.resume();
    await this.messages.unreadable.resume();
    await this.unfinished.resume(this.socket);
  }

  /** Close at once: nothing more is read or written. */
  close(): void {
    if (this.ended) return;
    this.ended = true;
    this.messages.unreadable.close();
    this.history.close();
    this.groups.close();
    this.unfinished.close();
    rawSocket(this.socket)?.terminate();
    // Baileys rejects all pending requests.
    void this.socket.end(undefined).catch(() => undefined);
  }

  private listen(): void {
    const { ev, ws } = this.socket;
    // Baileys ignores this event, and its web socket would then never close by itself.
    ws.on('unexpected-response', (_request: unknown, { statusCode = 0 }: IncomingMessage) => {
      void this.socket.end(new HttpRefusal(statusCode)).catch(() => undefined);
    });
    // Before Baileys, so that the events of a receipt are stored before its acknowledgement is
    // sent.
    ws.prependListener('CB:message', (node: BinaryNode) => {
      if (this.isIgnored(node.attrs.from ?? '')) return;
      // Baileys handles offline messages one after another; others may overtake each other if one
      // is looked up faster.
      node.attrs.offline = '1';
      const found = this.messages.note(node);
      if (found) this.commit([found]);
    });
    ws.prependListener('CB:receipt', (node: BinaryNode) => {
      this.commit(receiptEvents(node, this.mine()));
      if (node.attrs.type === 'retry') this.renew(node);
    });
    ws.prependListener('CB:notification,type:encrypt,identity', (node: BinaryNode) =>
      this.renew(node),
    );
    ws.on('CB:ack,class:message', (node: BinaryNode) => {
      const found = acknowledgement(node);
      if (found) this.commit([found]);
    });
    ev.on('creds.update', () =>
      this.guarded(() => {
        const { credentials, keys, onCredentials } = this.around;
        if (credentials.account) keepSpare(credentials, keys);
        onCredentials();
      }),
    );
    ev.on('connection.update', (update) => this.guarded(() => this.around.onUpdate(update)));
    ev.on('call', (calls) => calls.forEach((call) => void this.call(call)));
    ev.on('messages.upsert', ({ messages }) => {
      void this.history.messages(
        messages.filter(({ key }) => !this.recent.has(messageEventId(key))),
      );
    });
    ev.on('messaging-history.set', (set) => void this.history.all(set));
    ev.on('contacts.upsert', (contacts) => void this.history.contacts(contacts));
    ev.on('contacts.update', (contacts) => void this.history.contacts(contacts));
    ev.on('groups.update', (groups) => {
      for (const { id, subject } of groups) if (id && subject) this.commit([renamed(id, subject)]);
    });
  }

  /** Ignore the last events of a connection that we have closed. */
  private guarded(work: () => void): void {
    if (!this.ended) work();
  }

  /** Whether messages from this address are ignored, such as those of broadcast lists. */
  private isIgnored(jid: string): boolean {
    const { ignoreGroups } = this.around.settings();
    if (isJidStatusBroadcast(jid) || isJidNewsletter(jid)) return true;
    return ignoreGroups && (isJidGroup(jid) ?? false);
  }

  private renew({ attrs: { participant, from } }: BinaryNode): void {
    const jid = participant ?? from;
    if (jid) this.renewals.add(jid);
  }

  private mine(): string[] {
    const { me } = this.around.credentials;
    return [me?.id, me?.lid].filter((jid) => jid !== undefined);
  }

  private commit(events: GatewayEvent[]): void {
    if (events.length > 0 && !this.ended) void this.around.commits.append({ events });
  }

  private async call(call: WACallEvent): Promise<void> {
    if (!CALL_STATES.has(call.status)) return;
    const from = await this.messages.resolve(call.from, call.callerPn);
    this.commit([
      event('call', `call:${call.id}:${call.status}`, partitionOf(plain(call.from), from), {
        callId: call.id,
        from: { ...from, name: '' },
        isVideo: call.isVideo ?? false,
        isGroup: call.isGroup ?? false,
        state: call.status,
      }),
    ]);
  }

  private remember(id: string): void {
    this.recent.add(id);
    const [oldest] = this.recent;
    if (this.recent.size > MOST_RECENT && oldest) this.recent.delete(oldest);
  }
}

function renamed(group: string, subject: string): GatewayEvent {
  return event('group', `group:${group}:${Date.now()}`, group, { group, subject });
}
