import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, onTestFailed, onTestFinished, vi } from 'vitest';
import { FakeBalcao, SECRET } from './balcao.js';
import type { StoredSession } from './balcao.js';
import type { Device } from './device.js';
import type { Person } from './person.js';
import { FakeWhatsApp } from './whatsapp.js';

/** Wait until something is so; the longest that a slow machine may take. */
export async function until<T>(look: () => T, timeout = 60_000): Promise<NonNullable<T>> {
  return vi.waitUntil(look, { timeout, interval: 20 }) as Promise<NonNullable<T>>;
}

/** One gateway process, as production starts it. */
export class GatewayProcess {
  output = '';
  readonly process: ChildProcess;

  constructor(
    name: string,
    balcao: FakeBalcao,
    whatsapp: FakeWhatsApp,
    more: Record<string, string> = {},
  ) {
    this.process = spawn(process.execPath, ['dist/main.js'], {
      env: {
        PATH: process.env.PATH,
        GATEWAY_NAME: name,
        GATEWAY_SECRET: SECRET,
        GATEWAY_PORT: '0',
        BALCAO_URL: balcao.url,
        WHATSAPP_URL: whatsapp.url,
        WHATSAPP_MEDIA_URL: whatsapp.mediaUrl,
        ...more,
      },
    });
    const hear = (data: Buffer) => {
      this.output += data.toString();
    };
    this.process.stdout?.on('data', hear);
    this.process.stderr?.on('data', hear);
  }

  get isRunning(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  /** End it at once, as a crash does. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  /** End it properly; returns the exit code. */
  async stop(): Promise<number | null> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
    return this.process.exitCode;
  }
}

/** A server, WhatsApp, the shop's phone and a customer; gone when the test ends. */
export class World {
  readonly balcao = new FakeBalcao();
  readonly whatsapp = new FakeWhatsApp();
  readonly shop: Person;
  readonly maria: Person;
  private readonly gateways: GatewayProcess[] = [];

  constructor() {
    this.shop = this.whatsapp.person('5511900000001', 'Loja');
    this.maria = this.whatsapp.person('5511988887777', 'Maria');
  }

  static async begin(): Promise<World> {
    const world = new World();
    await Promise.all([world.balcao.start(), world.whatsapp.start()]);
    onTestFailed(() => world.tell());
    onTestFinished(() => world.end());
    return world;
  }

  gateway(name = 'one', more: Record<string, string> = {}): GatewayProcess {
    const gateway = new GatewayProcess(name, this.balcao, this.whatsapp, more);
    this.gateways.push(gateway);
    return gateway;
  }

  /** Scan the code that the session shows, and wait until it is open. */
  async link(session: StoredSession, owner = this.shop): Promise<Device> {
    const known = this.whatsapp.devices.length;
    const qr = await until(() => session.of('session').findLast(({ qr }) => qr)?.qr);
    await this.whatsapp.scan(qr as string, owner);
    const device = await until(() => this.whatsapp.devices[known]);
    await until(() => session.statuses.at(-1) === 'CONNECTED');
    return device;
  }

  /** What each side saw, for whoever reads why a test failed. */
  tell(): void {
    const { refused, sessions } = this.balcao;
    for (const { process, output } of this.gateways) console.log(process.pid, output);
    console.log({ refused, errors: this.whatsapp.errors, taken: this.whatsapp.taken });
    for (const { id, events } of sessions.values()) {
      console.log(
        id,
        events.map((event) => `${event.id} ${JSON.stringify(event.payload).slice(0, 120)}`),
      );
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.kill()));
    await Promise.all([this.balcao.stop(), this.whatsapp.stop()]);
  }
}

/** A shop that is linked already, for all tests of a file. */
export interface Linked {
  world: World;
  session: StoredSession;
  device: Device;
  gateway: GatewayProcess;
}

/** Link a shop before the first test of the file, and end all after the last. */
export function linked(): Linked {
  const shared = {} as Linked;
  beforeAll(async () => {
    shared.world = new World();
    await Promise.all([shared.world.balcao.start(), shared.world.whatsapp.start()]);
    shared.session = shared.world.balcao.session(7);
    shared.gateway = shared.world.gateway();
    shared.device = await shared.world.link(shared.session);
  });
  beforeEach(() => onTestFailed(() => shared.world.tell()));
  afterAll(() => shared.world.end());
  return shared;
}
