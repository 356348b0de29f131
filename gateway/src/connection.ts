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
import { acknowledgement, receiptEvents } from './receipts.js';
import { persistFirst } from './repository.js';
import type { SentMessages } from './sent-messages.js';
import { Unfinished } from './unfinished.js';

// Longer than a lease: a frame may wait for the server until the session is not ours any more.
const SEND_TIMEOUT_MS = 45_000;
const FULL: number = proto.HistorySync.HistorySyncType.FULL;
const MOST_RECENT = 2_000;
const CALL_STATES: ReadonlySet<string> = new Set(['offer', 'timeout', 'reject', 'accept']);

/** WhatsApp, or what stands before it, let no web socket through. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  /** As Baileys keeps codes: it passes, like any fault of theirs. */
  readonly output = { statusCode: 503 };

  constructor(status: number) {
    super(`HTTP ${status}`);
  }
}

/** What one connection to WhatsApp needs of its session. */
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
  /** An id for a fact that names nothing, new each time. */
  factId: () => string;
  onCredentials: () => void;
  onUpdate: (update: Partial<ConnectionState>) => void;
}

/** One web socket to WhatsApp with Baileys on it; what happens on it is committed. */
export class Connection {
  readonly socket: WASocket;
  private readonly messages: Messages;
  private readonly unfinished: Unfinished;
  private readonly history: History;
  private readonly groups: Groups;
  private readonly recent = new Set<string>();
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
      makeSignalRepository: persistFirst(keys, commits, {
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
      }),
      ...(config.whatsappUrl ? { waWebSocketUrl: config.whatsappUrl } : {}),
      ...(config.whatsappVersion ? { version: config.whatsappVersion } : {}),
    });
    holdFrames(this.socket, commits, () => around.isOurs() && !this.ended);
    this.listen();
  }

  /** Number, LID and what else the messages need of somebody. */
  get people(): Messages {
    return this.messages;
  }

  /** The connection is open: do what an earlier owner left undone. */
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
    // Baileys rejects what still waits for an answer.
    void this.socket.end(undefined).catch(() => undefined);
  }

  private listen(): void {
    const { ev, ws } = this.socket;
    // Baileys hears of it and does nothing, and its web socket never closes by itself then.
    ws.on('unexpected-response', (_request: unknown, { statusCode = 0 }: IncomingMessage) => {
      void this.socket.end(new HttpRefusal(statusCode)).catch(() => undefined);
    });
    // Before Baileys: what follows from a receipt is stored before its acknowledgement leaves.
    ws.prependListener('CB:message', (node: BinaryNode) => {
      if (this.isIgnored(node.attrs.from ?? '')) return;
      // Baileys handles one after another what waited for us at WhatsApp; of the others the one that
      // is looked up faster would overtake.
      node.attrs.offline = '1';
      const found = this.messages.note(node);
      if (found) this.commit([found]);
    });
    ws.prependListener('CB:receipt', (node: BinaryNode) =>
      this.commit(receiptEvents(node, this.mine())),
    );
    ws.on('CB:ack,class:message', (node: BinaryNode) => {
      const found = acknowledgement(node);
      if (found) this.commit([found]);
    });
    ev.on('creds.update', () => this.guarded(this.around.onCredentials));
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

  /** Baileys' last events of a connection that we closed are nobody's. */
  private guarded(work: () => void): void {
    if (!this.ended) work();
  }

  /** Is what comes from there nothing for us? People's lists of receivers are. */
  private isIgnored(jid: string): boolean {
    const { ignoreGroups } = this.around.settings();
    if (isJidStatusBroadcast(jid) || isJidNewsletter(jid)) return true;
    return ignoreGroups && (isJidGroup(jid) ?? false);
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
