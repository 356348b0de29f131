import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RealShop } from './fake/real-shop.js';
import { until } from './fake/world.js';
import type { GatewayProcess } from './fake/world.js';

/** The longest that a message may wait once there is somebody to take it (s). */
const MOST_WAIT = 30;

function expectPrompt({
  longestInward,
  longestOutward,
}: Record<'longestInward' | 'longestOutward', number>) {
  expect(longestInward).toBeLessThan(MOST_WAIT);
  expect(longestOutward).toBeLessThan(MOST_WAIT);
}

/** Kill a gateway, and have another take over at once; returns it when it is open. */
async function replaced(shop: RealShop, gateway: GatewayProcess, name: string) {
  const { world, session } = shop;
  await gateway.kill();
  const opened = () => session.statuses.filter((status) => status === 'CONNECTED').length;
  const before = opened();
  session.leaseUntil = 0;
  const next = world.gateway(name);
  await until(() => opened() > before);
  return next;
}

test.each([
  [1, 1],
  [1, 10],
  [4, 5],
])('a frozen owner, %i customers, %i sends abreast: all is read', async (count, abreast) => {
  const shop = await RealShop.begin(count);
  const { world, session, gateway } = shop;
  await shop.talk(2 * count);
  world.gateway('two');
  await until(() => world.balcao.callers.size === 2);
  const talking = shop.talk(100, abreast);
  await until(() => shop.orders.size > 2 * count + 20);
  gateway.signal('SIGSTOP');
  await until(() => session.owners.length === 2);
  const since = Date.now();
  await talking;
  const figures = await shop.allRead(`frozen, ${count} customers, ${abreast} abreast`, since);
  gateway.signal('SIGCONT');
  await until(() => gateway.output.includes('session dropped'));
  await shop.talk(count);
  const after = await shop.allRead('thawed', Date.now());
  expectPrompt(figures);
  expect(figures.unreadableAtShop).toBe(0);
  expect(figures.unreadableAtCustomers).toBe(0);
  expect(after.unreadableAtShop + after.unreadableAtCustomers).toBe(0);
  expect(session.owners).toHaveLength(2);
});

test('a backlog of 100 from people who write for the first time is read', async () => {
  const shop = await RealShop.begin(4);
  const { world, device } = shop;
  await shop.gateway.stop();
  await Promise.all(shop.customers.map((customer) => shop.hear(customer, 25)));
  expect(device.waiting.size).toBe(100);
  // One pre-key for each person, and none twice.
  expect(device.given).toHaveLength(4);
  expect(new Set(device.given).size).toBe(4);
  const since = Date.now();
  world.gateway('two');
  await shop.talk(100, 5);
  const figures = await shop.allRead('backlog', since);
  expectPrompt(figures);
  expect(figures.unreadableAtShop + figures.unreadableAtCustomers).toBe(0);
});

test('an outage of WhatsApp', async () => {
  const shop = await RealShop.begin(2);
  const { whatsapp } = shop.world;
  await shop.talk(4);
  const talking = shop.talk(100, 5);
  await until(() => shop.orders.size > 20);
  whatsapp.isDown = true;
  for (const { connection } of whatsapp.devices) connection?.cut();
  await delay(5_000);
  whatsapp.isDown = false;
  const since = Date.now();
  await talking;
  expectPrompt(await shop.allRead('outage of WhatsApp', since));
});

test('an outage of the server', async () => {
  const shop = await RealShop.begin(2);
  const { balcao } = shop.world;
  await shop.talk(4);
  const talking = shop.talk(100, 5);
  await until(() => shop.orders.size > 20);
  balcao.isDown = true;
  await delay(20_000);
  balcao.isDown = false;
  const since = Date.now();
  await talking;
  expectPrompt(await shop.allRead('outage of the server', since));
});

test('two gateways killed one after another in the middle of both directions', async () => {
  const shop = await RealShop.begin(2);
  await shop.talk(4);
  const talking = shop.talk(100, 5);
  await until(() => shop.orders.size > 20);
  const two = await replaced(shop, shop.gateway, 'two');
  await until(() => shop.orders.size > 60);
  await replaced(shop, two, 'three');
  const since = Date.now();
  await talking;
  expectPrompt(await shop.allRead('killed twice', since));
});

test('a group, whose keys survive a kill', async () => {
  const shop = await RealShop.begin(2);
  const { whatsapp, shop: owner } = shop.world;
  const group = '120363000000000001@g.us';
  const members = [owner, ...shop.customers.map(({ person }) => person)];
  whatsapp.groups.set(group, { subject: 'Turma', members });
  const talk = async () => {
    const writing = shop.customers.map((customer) => shop.hear(customer, 10, group));
    for (let n = 0; n < 10; n += 1) await shop.send(shop.customers, `a todos ${n}`, group);
    await Promise.all(writing);
  };
  await talk();
  await shop.allRead('group', Date.now());
  const talking = talk();
  await until(() => shop.orders.size > 13);
  await replaced(shop, shop.gateway, 'two');
  const since = Date.now();
  await talking;
  expectPrompt(await shop.allRead('group, killed', since));
});
