import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { StoredSession } from './balcao.js';
import { Customer } from './customer.js';
import type { Device } from './device.js';
import { until, World } from './world.js';
import type { GatewayProcess } from './world.js';

const NAMES = ['Ana', 'Bia', 'Caio', 'Davi'];
/** How often somebody writes (ms). */
const PACE_MS = 20;

/** A linked shop, and customers whose phones are real Baileys. */
export class RealShop {
  readonly customers: Customer[] = [];
  /** What the server has to send: to whom, and what. */
  readonly orders = new Map<string, { to: Customer[]; body: string }>();
  private serial = 0;

  private constructor(
    readonly world: World,
    readonly session: StoredSession,
    readonly gateway: GatewayProcess,
    readonly device: Device,
  ) {}

  static async begin(
    customers: number,
    /** Called before anything is sent. */
    prepare: (world: World, session: StoredSession) => void = () => undefined,
  ): Promise<RealShop> {
    const world = await World.begin();
    const session = world.balcao.session(7);
    prepare(world, session);
    const gateway = world.gateway('one');
    const shop = new RealShop(world, session, gateway, await world.link(session));
    for (const [n, name] of NAMES.slice(0, customers).entries()) {
      const person = world.whatsapp.person(`551197777001${n}`, name);
      const customer = await Customer.link(world.whatsapp, person);
      shop.customers.push(customer);
      onTestFinished(() => customer.end());
    }
    return shop;
  }

  /** Send a text as the server does: again with the same id, to whoever owns it, until accepted. */
  async send(to: Customer[], body: string, address = to[0]?.person.number ?? ''): Promise<void> {
    this.serial += 1;
    const id = `3EB0${String(this.serial).padStart(18, '0')}`;
    this.orders.set(id, { to, body });
    for (;;) {
      const { epoch } = this.session;
      const given = { to: address, id, body };
      const answer = this.world.balcao.command(this.session, 'text', given).then(
        ({ status }) => status,
        () => 0,
      );
      const moved = async () => {
        while (this.session.epoch === epoch) await delay(100);
        return 0;
      };
      if ((await Promise.race([answer, moved()])) === 200) return;
      await delay(200);
    }
  }

  /** Both sides write `count` texts, in order in each conversation or with `abreast` sends. */
  async talk(count: number, abreast = 1): Promise<void> {
    const each = Math.ceil(count / this.customers.length);
    await Promise.all(
      this.customers.flatMap((customer) => [
        this.hear(customer, each),
        ...Array.from({ length: abreast }, async (_, lane) => {
          for (let n = lane; n < each; n += abreast) await this.send([customer], `para ${n}`);
        }),
      ]),
    );
  }

  /** A customer writes `count` texts. */
  async hear(customer: Customer, count: number, to = this.world.shop.jid): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await customer.write(to, `de ${customer.person.name} ${n}`);
      await delay(PACE_MS);
    }
  }

  /** The ids of what one side wrote and the other has not read. */
  get unread(): string[] {
    const known = new Set(this.session.of('message').map(({ externalId }) => externalId));
    const inward = this.customers.flatMap(({ sent }) => [...sent.keys()]);
    const outward = [...this.orders].filter(([id, { to }]) => to.some(({ read }) => !read.has(id)));
    return [...inward.filter((id) => !known.has(id)), ...outward.map(([id]) => id)];
  }

  /** Wait until all is read, and none of it is wrong; returns the figures, with waits in seconds. */
  async allRead(name: string, since: number) {
    await until(() => this.unread.length === 0).catch(() => undefined);
    expect(this.unread).toEqual([]);
    const told = this.session.of('message');
    const written = this.customers.flatMap(({ sent }) => [...sent.keys()]);
    expect(told.map(({ externalId }) => externalId).sort()).toEqual(written.sort());
    expect(told.filter(({ type }) => type === 'unknown')).toEqual([]);
    for (const [id, { to, body }] of this.orders) {
      for (const { read } of to) expect(read.get(id)?.text).toBe(body);
    }
    const inward = this.session.events.filter(({ kind }) => kind === 'message').map(({ at }) => at);
    const outward = this.customers.flatMap(({ read }) => [...read.values()].map(({ at }) => at));
    const longest = (times: number[]) => (Math.max(since, ...times) - since) / 1000;
    const figures = {
      inward: written.length,
      outward: this.orders.size,
      unreadableAtShop: retries(this.device),
      unreadableAtCustomers: this.customers.reduce((sum, one) => sum + retries(one.device), 0),
      preKeysOfShop: this.device.given.length,
      preKeysOfCustomers: this.customers.map(({ device }) => device.given.length),
      longestInward: longest(inward),
      longestOutward: longest(outward),
    };
    process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
    return figures;
  }
}

/** How many messages a device could not decrypt at first. */
function retries({ receipts }: Device): number {
  return new Set(receipts.filter(({ type }) => type === 'retry').map(({ id }) => id)).size;
}
