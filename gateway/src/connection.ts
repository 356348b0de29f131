import { isJidBroadcast, isJidGroup, isJidNewsletter, makeWASocket, proto } from 'baileys';
import type {
  AuthenticationCreds,
  BinaryNode,
  ConnectionState,
  WACallEvent,
  WASocket,
} from 'baileys';
import type { CommitQueue } from './commits.js';
import type { Config } from './config.js';
import type { GatewayEvent, SessionSettings } from './contract.js';
import { event } from './events.js';
import { holdFrames, rawSocket } from './frames.js';
import { History } from './history.js';
import { plain } from './jids.js';
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

/** What one connection to WhatsApp needs of its session. */
export interface Surroundings {
  config: Config;
  settings: () => SessionSettings;
  credentials: AuthenticationCreds;
  keys: KeyStore;
  commits: CommitQueue;
  sent: SentMessages;
  isOurs: () => boolean;
  onCredentials: () => void;
  onUpdate: (update: Partial<ConnectionState>) => void;
}

/** One web socket to WhatsApp with Baileys on it; what happens on it is committed. */
export class Connection {
  readonly socket: WASocket;
  private readonly messages: Messages;
  private readonly unfinished: Unfinished;
  private readonly history: History;
  private readonly recent = new Set<string>();
  private ended = false;

  constructor(private readonly around: Surroundings) {
    const { config, credentials, keys, commits } = around;
    this.unfinished = new Unfinished(keys);
    this.messages = new Messages(keys, this.unfinished, () => credentials.me ?? { id: '' });
    this.history = new History(this.messages, commits, around.settings);
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
      shouldIgnoreJid: (jid) =>
        isJidBroadcast(jid) || isJidNewsletter(jid) || (settings().ignoreGroups && isJidGroup(jid)),
      emitOwnEvents: false,
      getMessage: (key) => around.sent.find(key.id ?? ''),
      makeSignalRepository: persistFirst(keys, commits, {
        authorOf: (ciphertext) => this.messages.authorOf(ciphertext),
        changesOf: async (ciphertext, message) => {
          const changes = await this.messages.changesOf(ciphertext, message);
          for (const { id } of changes.events) this.remember(id);
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
    await this.unfinished.resume(this.socket);
  }

  /** Close at once: nothing more is read or written. */
  close(): void {
    if (this.ended) return;
    this.ended = true;
    rawSocket(this.socket)?.terminate();
    // Baileys rejects what still waits for an answer.
    void this.socket.end(undefined).catch(() => undefined);
  }

  private listen(): void {
    const { ev, ws } = this.socket;
    // Before Baileys: what follows from a receipt is stored before its acknowledgement leaves.
    ws.prependListener('CB:message', (node: BinaryNode) => this.messages.note(node));
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
        false,
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
      event('call', `call:${call.id}:${call.status}`, plain(call.from), {
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
