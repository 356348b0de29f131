import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  FarewellOrder,
  GatewayEvent,
  HeldSession,
  Json,
  JsonObject,
  KeyValues,
  LeaseAnswer,
  SessionSettings,
} from '../../src/contract.js';
import { signedHeaders, Verifier } from '../../src/signing.js';

export const SECRET = 'a secret that only the tests know';

const MOST_BYTES = 8 * 1024 * 1024;
const MOST_KEYS = 2000;
const MOST_EVENTS = 200;

const ENDED: ReadonlySet<unknown> = new Set(['DISCONNECTED', 'TIMEOUT']);

const SETTINGS: SessionSettings = {
  browser: ['Balcão', 'Chrome', '1'],
  ignoreGroups: false,
  syncHistory: false,
  qrAttempts: 5,
  markOnline: false,
};

/** One session as the server keeps it. */
export class StoredSession {
  epoch = 0;
  owner = '';
  address = '';
  leaseUntil = 0;
  isWanted = true;
  /** The numbers of the writes of state, each try, as they came. */
  readonly writes: number[] = [];
  stop: { logout: boolean } | null = null;
  link: { number: string } | null = null;
  credentials: Json = null;
  readonly keys = new Map<string, Json>();
  readonly events: GatewayEvent[] = [];
  readonly settings = { ...SETTINGS };
  /** The server does not know the status. */
  isUnheard = false;
  /** Every owner there was, in order. */
  readonly owners: string[] = [];

  constructor(readonly id: number) {}

  of(kind: GatewayEvent['kind']): JsonObject[] {
    return this.events.filter((event) => event.kind === kind).map(({ payload }) => payload);
  }

  /** Texts received from people, in order. */
  get texts(): string[] {
    return this.of('message').map(({ body }) => body as string);
  }

  get statuses(): string[] {
    return this.of('session').map(({ status }) => status as string);
  }
}

interface LeaseCall {
  gateway: string;
  address: string;
  room: number;
  held: HeldSession[];
  call: number;
  leaving?: boolean;
  parted?: number[];
}

export interface Written {
  epoch: number;
  credentials?: Json;
  keys?: KeyValues;
  events?: GatewayEvent[];
  write?: number;
  wanted?: Record<string, string[]>;
}

/** The server's side of docs/gateway.md, in memory, and strict. */
export class FakeBalcao {
  readonly sessions = new Map<number, StoredSession>();
  readonly files = new Map<string, Buffer>();
  readonly refused: string[] = [];
  /** Devices that are to be taken off their phones, given with each lease call until they are. */
  readonly farewells: FarewellOrder[] = [];
  /** Calls of the lease by each gateway. */
  readonly callers = new Map<string, string>();
  /** How often each gateway has called, as it counts. */
  readonly calls = new Map<string, number>();
  isDown = false;
  /** How often gateways are asked to beat, the beats that came, and whether they fail. */
  beatSeconds = 0;
  readonly beats: { gateway: string; steady: number }[] = [];
  isDeaf = false;
  /** Looks at each commit: store it and answer, store it and fall silent, lose, refuse or fail it. */
  onCommit: (written: Written) => Promise<'answer' | 'silent' | 'lost' | 'refused' | 'failed'> =
    () => Promise.resolve('answer');
  /** Called when keys were read, before they are answered. */
  onRead: () => Promise<void> = () => Promise.resolve();
  /** On a loaded machine one of six seconds runs out while a session begins, and it begins anew. */
  leaseSeconds = 15;
  private readonly verifier = new Verifier(SECRET);
  private readonly http: Server;

  constructor() {
    this.http = createServer((request, response) => void this.answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.http.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  session(id: number, settings: Partial<SessionSettings> = {}): StoredSession {
    const session = new StoredSession(id);
    Object.assign(session.settings, settings);
    this.sessions.set(id, session);
    return session;
  }

  /** A person asks for the session: the gateways are woken. */
  async want(session: StoredSession): Promise<void> {
    session.isWanted = true;
    for (const address of this.callers.values()) {
      const headers = signedHeaders(SECRET, 'POST', '/wake', '{}');
      await fetch(`${address}/wake`, { method: 'POST', headers, body: '{}' });
    }
  }

  /** A command to the owner; returns its status and what it answered. */
  async command(
    session: StoredSession,
    name: string,
    body: Record<string, unknown> = {},
    secret = SECRET,
  ): Promise<{ status: number; body: Record<string, unknown>; bytes: Buffer }> {
    const path = `/sessions/${session.id}/${name}`;
    const text = JSON.stringify({ epoch: session.epoch, ...body });
    const response = await fetch(session.address + path, {
      method: 'POST',
      headers: signedHeaders(secret, 'POST', path, text),
      body: text,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const parsed: unknown = isJson ? JSON.parse(bytes.toString()) : {};
    return { status: response.status, body: parsed as Record<string, unknown>, bytes };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) {
      request.socket.destroy();
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const body = Buffer.concat(parts);
    const { method = '', url = '' } = request;
    const reply = (status: number, answer: unknown) => {
      if (status !== 200) this.refused.push(`${url} ${status}`);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    if (!this.verifier.accepts(method, url, request.headers, body)) {
      reply(401, { code: 'ERR_GATEWAY_SIGNATURE' });
      return;
    }
    const [, token] = /^\/internal\/gateway\/files\/(.+)$/.exec(url) ?? [];
    if (token) {
      const file = this.files.get(token);
      if (file) response.end(file);
      else reply(422, { code: 'ERR_AUDIO_UNREADABLE', permanent: true });
      return;
    }
    if (body.length > MOST_BYTES) {
      reply(413, { code: 'ERR_REQUEST_TOO_LARGE' });
      return;
    }
    // As its JSON reader takes it: no half characters.
    if (/\\ud[89a-f]/i.test(body.toString())) {
      reply(400, { code: 'ERR_GATEWAY_BODY' });
      return;
    }
    const given = JSON.parse(body.toString()) as unknown;
    if (url === '/internal/gateway/lease') {
      reply(200, this.lease(given as LeaseCall));
      return;
    }
    if (url === '/internal/gateway/beat') {
      if (this.isDeaf) reply(503, {});
      else {
        this.beats.push(given as { gateway: string; steady: number });
        reply(200, {});
      }
      return;
    }
    const [, id, verb] = /^\/internal\/gateway\/sessions\/(\d+)\/(.+)$/.exec(url) ?? [];
    const session = this.sessions.get(Number(id));
    const written = given as Written;
    if (!session) reply(410, { code: 'ERR_SESSION_GONE' });
    else if (written.epoch !== session.epoch) reply(409, { code: 'ERR_STALE_EPOCH' });
    else if (!fits(written)) reply(400, { code: 'ERR_GATEWAY_BODY' });
    else {
      if (written.write !== undefined) session.writes.push(written.write);
      const outcome = verb === 'commit' ? await this.onCommit(written) : 'answer';
      if (outcome === 'refused') {
        reply(400, { code: 'ERR_GATEWAY_BODY' });
        return;
      }
      if (outcome === 'failed') {
        reply(500, {});
        return;
      }
      const answer = outcome === 'lost' ? null : this.write(session, verb ?? '', written);
      if (verb === 'keys/read') await this.onRead();
      if (outcome === 'answer') reply(200, answer);
      else request.socket.destroy();
    }
  }

  private lease(call: LeaseCall): LeaseAnswer {
    this.callers.set(call.gateway, call.address);
    this.calls.set(call.gateway, call.call);
    const now = Date.now();
    const answer: LeaseAnswer = {
      leaseSeconds: this.leaseSeconds,
      beatSeconds: this.beatSeconds,
      held: [],
      lost: [],
      claimed: [],
      stop: [],
      farewells: this.farewells.filter(({ farewell }) => !call.parted?.includes(farewell)),
    };
    this.farewells.splice(0, Infinity, ...(answer.farewells ?? []));
    const held = new Map(call.held.map(({ session, epoch }) => [session, epoch]));
    for (const [id, epoch] of held) {
      const session = this.sessions.get(id);
      if (session?.owner !== call.gateway || session.epoch !== epoch) {
        answer.lost.push(id);
        continue;
      }
      session.leaseUntil = now + this.leaseSeconds * 1000;
      if (session.stop) answer.stop.push({ session: id, epoch, ...session.stop });
      else {
        const { settings, isUnheard: report } = session;
        answer.held.push({ session: id, epoch, settings, ...(report ? { report } : {}) });
      }
    }
    for (const session of this.sessions.values()) {
      if (session.owner === call.gateway && (call.leaving || !held.has(session.id))) {
        session.owner = '';
      }
      const isFree = session.owner === '' || session.leaseUntil < now;
      if (!isFree || !session.isWanted || session.stop || call.leaving) continue;
      if (answer.claimed.length >= call.room) continue;
      session.epoch += 1;
      session.owner = call.gateway;
      session.owners.push(call.gateway);
      session.address = call.address;
      session.leaseUntil = now + this.leaseSeconds * 1000;
      answer.claimed.push({
        session: session.id,
        epoch: session.epoch,
        credentials: session.credentials,
        settings: session.settings,
        link: session.link,
      });
    }
    return answer;
  }

  private write(session: StoredSession, verb: string, written: Written): unknown {
    if (verb === 'wipe') {
      session.credentials = null;
      session.keys.clear();
      return {};
    }
    if (verb === 'keys/read') {
      const values: KeyValues = {};
      for (const [type, ids] of Object.entries(written.wanted ?? {})) {
        values[type] = Object.fromEntries(
          ids.map((id) => [id, session.keys.get(`${type}/${id}`) ?? null]),
        );
      }
      return { values };
    }
    if (written.credentials !== undefined) session.credentials = written.credentials;
    for (const [type, values] of Object.entries(written.keys ?? {})) {
      for (const [id, value] of Object.entries(values)) {
        if (value === null) session.keys.delete(`${type}/${id}`);
        else session.keys.set(`${type}/${id}`, value);
      }
    }
    for (const event of written.events ?? []) {
      if (session.events.some(({ id }) => id === event.id)) continue;
      session.events.push(event);
      // Its owner closed it: nobody has it until a person asks for it.
      if (ENDED.has(event.payload.status)) Object.assign(session, { owner: '', isWanted: false });
    }
    return { stored: (written.events ?? []).map(({ id }) => id) };
  }
}

/** Is it no more than one call may bring? */
function fits({ keys = {}, events = [], wanted = {} }: Written): boolean {
  const written = Object.values(keys).reduce((sum, values) => sum + Object.keys(values).length, 0);
  const asked = Object.values(wanted).reduce((sum, ids) => sum + ids.length, 0);
  return written <= MOST_KEYS && asked <= MOST_KEYS && events.length <= MOST_EVENTS;
}
