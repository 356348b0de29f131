import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Curve,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  getMediaKeys,
  jidDecode,
  proto,
  WA_ADV_ACCOUNT_SIG_PREFIX,
} from 'baileys';
import type { BinaryNode } from 'baileys';
import { WebSocketServer } from 'ws';
import { answerTo } from './answers.js';
import { FakeConnection } from './connection.js';
import { Device, nameOf } from './device.js';
import { Person } from './person.js';
import { relayMessage, relayReceipt } from './relay.js';

const SERVER = 's.whatsapp.net';
const REFS = 6;

/** A message that a linked device sent, as WhatsApp took it. */
export interface Taken {
  id: string;
  to: string;
  attrs: Record<string, string>;
}

/**
 * WhatsApp, as far as linked devices see it: pairing, login, keys, messages, receipts and media, and
 * the people behind it with their own keys. It gives each stanza again until it is acknowledged.
 */
export class FakeWhatsApp {
  readonly people = new Map<string, Person>();
  readonly devices: Device[] = [];
  /** Frames with a message, in order, repeats included. */
  readonly taken: Taken[] = [];
  readonly files = new Map<string, Buffer>();
  /** Paths of people's pictures among `files`. */
  readonly pictures = new Map<Person, string>();
  readonly groups = new Map<string, { subject: string; members: Person[] }>();
  readonly rejectedCalls: string[] = [];
  readonly errors: unknown[] = [];
  /** Nobody gets through. */
  isDown = false;
  /** The HTTP status with which web sockets are refused; 0: they are not. */
  refusal = 0;
  /** The code with which the next message of a device is refused; '': it is taken. */
  messageError = '';
  /** Called before a message of a device is taken; false: WhatsApp says nothing. */
  onMessage: (id: string) => boolean = () => true;
  /** Called with each frame of a linked device, before anything follows from it. */
  onFrame: (device: Device, node: BinaryNode) => void = () => undefined;
  private readonly http: Server;
  private readonly sockets: WebSocketServer;
  private readonly unlinked = new Map<string, { connection: FakeConnection; payload: Buffer }>();
  private readonly pairing = new Map<string, Device>();
  private serial = 0;
  private linked = 0;

  constructor() {
    this.http = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://media').pathname;
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        if (request.method === 'POST') {
          this.files.set(path, Buffer.concat(parts));
          response.end(
            JSON.stringify({ url: `https://mmg.whatsapp.net${path}`, direct_path: path }),
          );
          return;
        }
        const file = this.files.get(path);
        response.statusCode = file ? 200 : 404;
        response.end(file);
      });
    });
    this.sockets = new WebSocketServer({
      server: this.http,
      verifyClient: (_info, done) => done(this.refusal === 0, this.refusal),
    });
    this.http.on('connection', (socket) => this.isDown && socket.destroy());
    this.sockets.on('connection', (socket) => {
      new FakeConnection(
        socket,
        (connection, payload) => this.login(connection, payload),
        (connection, node) => this.handle(connection, node),
        (error) => this.errors.push(error),
      );
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    for (const client of this.sockets.clients) client.terminate();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.http.address() as AddressInfo).port}/`;
  }

  get mediaUrl(): string {
    return this.url.replace('ws:', 'http:').replace(/\/$/, '');
  }

  person(number: string, name: string): Person {
    const person = new Person(number, name);
    this.people.set(number, person);
    return person;
  }

  /** End the connections that offer codes. */
  cutUnlinked(): void {
    for (const { connection } of this.unlinked.values()) connection.cut();
    this.unlinked.clear();
  }

  /** Give the one that offers codes another list of them; tells whether it has taken it. */
  async renewRefs(): Promise<() => boolean> {
    const [offer] = this.unlinked.values();
    if (!offer) throw new Error('Nobody offers codes.');
    const { heard } = offer.connection;
    await this.offer(offer.connection, offer.payload);
    return () => offer.connection.heard > heard;
  }

  /** Scan a QR code with somebody's phone. */
  async scan(qr: string, owner: Person, number = this.linked + 1): Promise<void> {
    const [ref = '', , identityKey = '', secret = ''] = qr.slice(qr.indexOf('2@')).split(',');
    await this.pair(ref, owner, number, Buffer.from(identityKey, 'base64'), secret);
  }

  /** The device's identity, signed by the phone's account (ADV), as `pair-success`. */
  private async pair(
    ref: string,
    owner: Person,
    number: number,
    identityKey: Buffer,
    secret: string,
  ): Promise<void> {
    const offer = this.unlinked.get(ref);
    if (!offer) throw new Error('The code is not valid any more.');
    // One byte of an address.
    this.linked = Math.max(this.linked, number);
    const payload = proto.ClientPayload.decode(offer.payload);
    const device = new Device(owner, number, payload, offer.connection.clientKey);
    const details = proto.ADVDeviceIdentity.encode({
      rawId: 1,
      timestamp: 1,
      keyIndex: 1,
    }).finish();
    const account = owner.creds.signedIdentityKey;
    const signed = Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, identityKey]);
    const inner = proto.ADVSignedDeviceIdentity.encode({
      details,
      accountSignatureKey: account.public,
      accountSignature: Curve.sign(account.private, signed),
    }).finish();
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64')).update(inner).digest();
    const content = proto.ADVSignedDeviceIdentityHMAC.encode({ details: inner, hmac }).finish();
    const id = this.nextId();
    this.pairing.set(id, device);
    await offer.connection.send({
      tag: 'iq',
      attrs: { id, from: SERVER, type: 'set' },
      content: [
        {
          tag: 'pair-success',
          attrs: {},
          content: [
            { tag: 'device-identity', attrs: {}, content },
            { tag: 'device', attrs: { jid: device.jid, lid: device.lid } },
            { tag: 'platform', attrs: { name: 'android' } },
          ],
        },
      ],
    });
  }

  /** Somebody writes to the device. Returns the message's id. */
  async write(
    from: Person,
    device: Device,
    message: proto.IMessage,
    more: {
      id?: string;
      group?: string;
      /** Through a list of receivers of theirs. */
      list?: string;
      byLid?: boolean;
      attrs?: Record<string, string>;
    } = {},
  ): Promise<string> {
    const id = more.id ?? randomBytes(8).toString('hex').toUpperCase();
    const bundle = () => device.bundle();
    const t = String(Math.floor(Date.now() / 1000));
    const attrs: Record<string, string> = { id, t, type: 'text', notify: from.name, ...more.attrs };
    if (more.group) {
      const members = more.byLid
        ? { participant: from.lid, participant_pn: from.jid, addressing_mode: 'lid' }
        : { participant: from.jid, participant_lid: from.lid };
      Object.assign(attrs, { from: more.group, ...members });
      const content = await from.encryptForGroup(more.group, device.jid, message, bundle);
      await device.hand({ tag: 'message', attrs, content });
      return id;
    }
    if (more.list) {
      Object.assign(attrs, { from: more.list, participant: from.jid, participant_lid: from.lid });
    } else if (more.byLid) Object.assign(attrs, { from: from.lid, sender_pn: from.jid });
    else Object.assign(attrs, { from: from.jid, sender_lid: from.lid });
    const content = [await from.encrypt(device.jid, message, bundle)];
    await device.hand({ tag: 'message', attrs, content });
    return id;
  }

  /** Somebody's phone tells that it has, or has shown, a message of ours. */
  async receipt(from: Person, device: Device, id: string, type = ''): Promise<void> {
    const attrs = { id, from: from.jid, t: String(Math.floor(Date.now() / 1000)) };
    const node = { tag: 'receipt', attrs: type ? { ...attrs, type } : attrs };
    await device.hand(node);
  }

  /** The device that has this number of its owner. */
  private async login(connection: FakeConnection, bytes: Buffer): Promise<void> {
    const payload = proto.ClientPayload.decode(bytes);
    if (!payload.username) {
      await this.offer(connection, bytes);
      return;
    }
    const device = this.devices.find(
      (one) =>
        one.owner.number === String(payload.username) &&
        one.number === (payload.device ?? 0) &&
        one.noiseKey.equals(connection.clientKey),
    );
    if (!device) {
      await connection.end({ tag: 'failure', attrs: { reason: '401' } });
      return;
    }
    const earlier = device.connection;
    device.comeBy(connection);
    connection.device = device;
    await earlier?.end(streamError('conflict', { type: 'replaced' }));
    await connection.send({ tag: 'success', attrs: { t: '1', lid: device.lid } });
    await device.handWaiting();
    const count = String(device.waiting.size);
    await connection.send({
      tag: 'ib',
      attrs: {},
      content: [{ tag: 'offline', attrs: { count } }],
    });
  }

  private async offer(connection: FakeConnection, payload: Buffer): Promise<void> {
    const refs = Array.from({ length: REFS }, () => `2@${randomBytes(12).toString('base64')}`);
    for (const ref of refs) this.unlinked.set(ref, { connection, payload });
    const content = refs.map((ref) => ({ tag: 'ref', attrs: {}, content: Buffer.from(ref) }));
    await connection.send({
      tag: 'iq',
      attrs: { id: this.nextId(), from: SERVER, type: 'set', xmlns: 'md' },
      content: [{ tag: 'pair-device', attrs: {}, content }],
    });
  }

  private async handle(connection: FakeConnection, node: BinaryNode): Promise<void> {
    const { id = '', type } = node.attrs;
    const { device } = connection;
    if (device) this.onFrame(device, node);
    if (node.tag === 'iq') {
      const paired = type === 'result' ? this.pairing.get(id) : undefined;
      if (paired && getBinaryNodeChild(node, 'pair-device-sign')) {
        this.pairing.delete(id);
        this.devices.push(paired);
        await connection.end(streamError('', { code: '515' }));
      } else if (getBinaryNodeChild(node, 'remove-companion-device') && device) {
        this.devices.splice(this.devices.indexOf(device), 1);
        await connection.end(streamError('', { code: '401' }));
      } else if (type !== 'result') {
        await connection.send(await answerTo(node, device, this));
      }
    } else if (!device) {
      return;
    } else if (node.tag === 'message') {
      await this.take(connection, device, node);
    } else if (node.tag === 'receipt') {
      device.waiting.delete(id);
      device.receipts.push({ id, type: type ?? '' });
      const attrs = { id, class: 'receipt', from: node.attrs.to ?? SERVER };
      await connection.send({ tag: 'ack', attrs });
      await relayReceipt(device, node, this);
    } else if (node.tag === 'ack') {
      device.waiting.delete(nameOf(node));
      if (node.attrs.error) device.refusals.push({ id, error: node.attrs.error });
    } else if (node.tag === 'call') {
      const reject = getBinaryNodeChild(node, 'reject');
      if (reject?.attrs['call-id']) this.rejectedCalls.push(reject.attrs['call-id']);
      await connection.send({ tag: 'ack', attrs: { id, class: 'call', from: SERVER } });
    }
  }

  private async take(connection: FakeConnection, device: Device, node: BinaryNode): Promise<void> {
    const { id = '', to = '' } = node.attrs;
    if (!this.onMessage(id)) return;
    if (this.messageError) {
      const attrs = { id, class: 'message', from: to, error: this.messageError };
      this.messageError = '';
      await connection.send({ tag: 'ack', attrs });
      return;
    }
    this.taken.push({ id, to, attrs: node.attrs });
    for (const { attrs, content } of getBinaryNodeChildren(
      getBinaryNodeChild(node, 'participants'),
      'to',
    )) {
      const person = this.find(attrs.jid ?? '');
      const enc = Array.isArray(content) ? content[0] : undefined;
      if (person && enc && this.isOurs(device, attrs.jid)) await person.take(id, device.jid, enc);
    }
    const direct = getBinaryNodeChild(node, 'enc');
    const person = this.find(to);
    for (const member of direct ? this.membersOf(to) : []) {
      if (direct && member !== device.owner && this.isOurs(device, member.jid)) {
        await member.takeOfGroup(id, to, device.jid, direct);
      }
    }
    if (direct && person && this.isOurs(device, to)) await person.take(id, device.jid, direct);
    await relayMessage(device, node, this);
    const attrs = { id, class: 'message', from: to, t: String(Math.floor(Date.now() / 1000)) };
    await connection.send({ tag: 'ack', attrs });
  }

  /** Whether the fake's own person takes what a device sends to this address: no program does. */
  private isOurs(from: Device, to = ''): boolean {
    return from.number !== 0 && !this.deviceAt(to);
  }

  // What `Directory` asks.

  find(jid: string): Person | null {
    const { user, server } = jidDecode(jid) ?? {};
    if (server !== 'lid') return this.people.get(user ?? '') ?? null;
    return [...this.people.values()].find(({ lid }) => lid === `${user ?? ''}@lid`) ?? null;
  }

  devicesOf(person: Person): Device[] {
    return this.devices.filter(({ owner }) => owner === person);
  }

  deviceAt(jid: string): Device | null {
    const owner = this.find(jid);
    const number = jidDecode(jid)?.device ?? 0;
    return this.devices.find((one) => one.owner === owner && one.number === number) ?? null;
  }

  pictureOf(jid: string): string {
    const person = this.find(jid);
    return (person && this.pictures.get(person)) ?? '';
  }

  subjectOf(group: string): string {
    return this.groups.get(group)?.subject ?? '';
  }

  membersOf(group: string): Person[] {
    return this.groups.get(group)?.members ?? [];
  }

  /** Store a file as a sender's phone does; returns what its message says of it. */
  async upload(kind: 'image' | 'audio' | 'document', bytes: Buffer) {
    const mediaKey = randomBytes(32);
    const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, kind);
    const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
    const mac = createHmac('sha256', macKey ?? '')
      .update(iv)
      .update(sealed)
      .digest()
      .subarray(0, 10);
    const whole = Buffer.concat([sealed, mac]);
    const directPath = `/v/${randomBytes(8).toString('hex')}`;
    this.files.set(directPath, whole);
    return {
      mediaKey,
      directPath,
      url: `https://mmg.whatsapp.net${directPath}`,
      fileSha256: createHash('sha256').update(bytes).digest(),
      fileEncSha256: createHash('sha256').update(whole).digest(),
      fileLength: bytes.length,
    };
  }

  /** What a device uploaded, as the receiver's phone opens it. */
  async opened(
    kind: 'image' | 'audio' | 'document',
    part: { mediaKey?: Uint8Array | null; directPath?: string | null },
  ): Promise<Buffer> {
    const whole = this.files.get(part.directPath ?? '');
    if (!whole || !part.mediaKey) throw new Error('The file was not uploaded.');
    const { cipherKey, iv, macKey } = await getMediaKeys(part.mediaKey, kind);
    const sealed = whole.subarray(0, -10);
    const mac = createHmac('sha256', macKey ?? '')
      .update(iv)
      .update(sealed)
      .digest();
    if (!mac.subarray(0, 10).equals(whole.subarray(-10))) throw new Error('The file is damaged.');
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  }

  private nextId(): string {
    this.serial += 1;
    return `fake-${this.serial}`;
  }
}

/** A stream error with a code, or with the reason's tag. */
export function streamError(tag: string, attrs: Record<string, string>): BinaryNode {
  const { code } = attrs;
  if (code) return { tag: 'stream:error', attrs: { code } };
  return { tag: 'stream:error', attrs: {}, content: [{ tag, attrs }] };
}
