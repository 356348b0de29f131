import { setTimeout as delay } from 'node:timers/promises';
import { generateMessageIDV2, initAuthCreds, makeWASocket } from 'baileys';
import type { BinaryNode, proto, SignalKeyStore, WAMessage, WASocket } from 'baileys';
import { silentLogger } from '../../src/logging.js';
import type { Person } from './person.js';
import type { FakeWhatsApp } from './whatsapp.js';
import type { Device } from './device.js';

const AGAIN_MS = 500;

/** The keys of one device, in memory, as Baileys' examples keep them. */
function memory(): SignalKeyStore {
  const kept = new Map<string, unknown>();
  return {
    get: (type, ids) => {
      const found: Record<string, never> = {};
      for (const id of ids) {
        const value = kept.get(`${type}/${id}`);
        if (value) found[id] = value as never;
      }
      return found;
    },
    set: (data) => {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) kept.set(`${type}/${id}`, value);
      }
    },
  };
}

/**
 * A customer whose phone is an unpatched Baileys: its own keys, encryption, retry receipts and
 * resending. The fake WhatsApp only relays what it sends.
 */
export class Customer {
  /** Texts that could be read, by message id, with the time (Unix ms). */
  readonly read = new Map<string, { text: string; at: number }>();
  readonly sent = new Map<string, proto.IMessage>();
  private readonly auth = { creds: initAuthCreds(), keys: memory() };
  private socket: WASocket | null = null;
  private isOpen = false;
  private hasEnded = false;

  private constructor(
    private readonly whatsapp: FakeWhatsApp,
    readonly person: Person,
  ) {}

  /** Pair it as somebody's phone, and wait until it is open. */
  static async link(whatsapp: FakeWhatsApp, person: Person): Promise<Customer> {
    const customer = new Customer(whatsapp, person);
    customer.connect();
    await customer.opened();
    return customer;
  }

  get device(): Device {
    const [device] = this.whatsapp.devicesOf(this.person);
    if (!device) throw new Error('The phone is not paired yet.');
    return device;
  }

  async opened(): Promise<void> {
    while (!this.isOpen) await delay(20);
  }

  /** Send a text, again after a lost connection, until WhatsApp has it; returns its id. */
  async write(to: string, text: string): Promise<string> {
    const messageId = generateMessageIDV2(this.auth.creds.me?.id);
    for (;;) {
      await this.opened();
      const { socket } = this;
      if (!socket) continue;
      const accepted = new Promise<boolean>((resolve) => {
        socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => {
          if (attrs.id === messageId) resolve(true);
        });
        socket.ev.on('connection.update', ({ connection }) => {
          if (connection === 'close') resolve(false);
        });
      });
      const message = await socket.sendMessage(to, { text }, { messageId }).catch(() => null);
      if (message?.message) this.sent.set(messageId, message.message);
      if (await Promise.race([accepted, delay(10_000)])) return messageId;
    }
  }

  end(): void {
    this.hasEnded = true;
    void this.socket?.end(undefined);
  }

  private connect(): void {
    const socket = makeWASocket({
      auth: this.auth,
      logger: silentLogger,
      waWebSocketUrl: this.whatsapp.url,
      shouldSyncHistoryMessage: () => false,
      getMessage: ({ id }) => Promise.resolve(this.sent.get(id ?? '')),
    });
    this.socket = socket;
    socket.ev.on('connection.update', ({ qr, connection }) => {
      if (qr) void this.whatsapp.scan(qr, this.person, 0);
      if (connection === 'open') this.isOpen = true;
      if (connection !== 'close') return;
      this.isOpen = false;
      if (!this.hasEnded) setTimeout(() => this.connect(), AGAIN_MS);
    });
    socket.ev.on('messages.upsert', ({ messages }) => messages.forEach((one) => this.take(one)));
  }

  private take({ key, message }: WAMessage): void {
    const text = message?.conversation ?? message?.extendedTextMessage?.text;
    if (!key.id || key.fromMe || !text || this.read.has(key.id)) return;
    this.read.set(key.id, { text, at: Date.now() });
  }
}
