import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Written } from './fake/balcao.js';
import { until, World } from './fake/world.js';

/** What the server fails of a session, as a fault in it does that one message meets. */
function failing({ events = [] }: Written): Promise<'answer' | 'failed'> {
  const isMessage = events.some(({ kind }) => kind === 'message');
  return Promise.resolve(isMessage ? 'failed' : 'answer');
}

/** The figure once it stands still for a while. */
async function quiet(figure: () => number | undefined): Promise<number | undefined> {
  for (;;) {
    const before = figure();
    await delay(500);
    if (figure() === before) return before;
  }
}

test('two gateways share the sessions, and one takes over what the other leaves', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const first = balcao.session(1);
  const one = world.gateway('one');
  const device = await world.link(first);
  const two = world.gateway('two');
  await until(() => balcao.callers.size === 2);
  await one.kill();
  await whatsapp.write(maria, device, { conversation: 'Enquanto isso' });
  await until(() => first.texts.includes('Enquanto isso'));
  // A slow machine may let a lease of the first run out, and have it claim anew.
  const names = new Set(first.owners.map((owner) => owner.split('-')[0]));
  expect([...names]).toEqual(['one', 'two']);
  expect(two.isRunning).toBe(true);
});

test('a process that was frozen says nothing to WhatsApp when it wakes', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(1);
  const one = world.gateway('one');
  const device = await world.link(session);
  world.gateway('two');
  const old = device.connection;
  one.signal('SIGSTOP');
  // This one waits in the frozen process' socket.
  await whatsapp.write(maria, device, { conversation: 'Parado?' });
  await until(() => session.owners.length === 2);
  await until(() => session.texts.includes('Parado?'));
  // What it sent before it froze may still be under way in the fake.
  const heard = await quiet(() => old?.heard);
  one.signal('SIGCONT');
  await until(() => one.output.includes('session dropped'));
  await whatsapp.write(maria, device, { conversation: 'Andando' });
  await until(() => session.texts.includes('Andando'));
  expect(old?.heard).toBe(heard);
  expect(session.texts).toEqual(['Parado?', 'Andando']);
  expect(session.owners).toHaveLength(2);
  expect(device.connection?.isOpen).toBe(true);
});

test('a status that the server does not know is reported again, also when it is a code', async () => {
  const world = await World.begin();
  const { balcao } = world;
  const session = balcao.session(1);
  world.gateway();
  await balcao.want(session);
  const code = await until(() => session.of('session').find(({ qr }) => qr));
  session.isUnheard = true;
  await until(() => session.of('session').filter(({ qr }) => qr === code.qr).length >= 2);
  session.isUnheard = false;
  const device = await world.link(session);
  const { connection } = device;
  const before = session.statuses.filter((status) => status === 'CONNECTED').length;
  session.isUnheard = true;
  await until(() => session.statuses.filter((each) => each === 'CONNECTED').length > before);
  session.isUnheard = false;
  expect(session.statuses.at(-1)).toBe('CONNECTED');
  expect(device.connection).toBe(connection);
  expect(session.owners).toHaveLength(1);
});

test('while the server is down messages wait, then each is there once', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(1);
  world.gateway();
  const device = await world.link(session);
  balcao.isDown = true;
  const texts = ['um', 'dois', 'três', 'quatro', 'cinco'];
  for (const conversation of texts) await whatsapp.write(maria, device, { conversation });
  // The lease runs out: the session is closed, and nothing was acknowledged.
  await until(() => device.connection === null);
  expect(device.receipts).toEqual([]);
  expect(device.waiting.size).toBe(texts.length);
  balcao.isDown = false;
  await until(() => session.texts.length === texts.length);
  await until(() => device.waiting.size === 0);
  expect(session.texts).toEqual(texts);
});

test('a moment without the server goes by unseen', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  balcao.leaseSeconds = 20;
  const session = balcao.session(1);
  world.gateway();
  const device = await world.link(session);
  const { connection } = device;
  balcao.isDown = true;
  const id = await whatsapp.write(maria, device, { conversation: 'Espere' });
  await until(() => device.handed.get(id) === 1);
  balcao.isDown = false;
  await until(() => session.texts.includes('Espere'));
  await until(() => device.waiting.size === 0);
  expect(device.connection).toBe(connection);
});

test('a write that the server fails is told, and stored when the server is mended', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  balcao.leaseSeconds = 20;
  const session = balcao.session(1);
  world.gateway();
  const device = await world.link(session);
  const connection = await until(() => device.connection);
  balcao.onCommit = failing;
  const texts = ['Ruim', 'Depois'];
  for (const conversation of texts) await whatsapp.write(maria, device, { conversation });
  await until(() => session.of('session').at(-1)?.reason === 'not_stored');
  expect(session.of('session').at(-1)).toMatchObject({ status: 'OPENING', detail: 'HTTP 500' });
  expect(session.texts).toEqual([]);
  expect(device.receipts).toEqual([]);
  balcao.onCommit = () => Promise.resolve('answer');
  await until(() => session.statuses.at(-1) === 'CONNECTED');
  await until(() => device.waiting.size === 0);
  expect(session.texts).toEqual(texts);
  expect(session.of('session').filter(({ reason }) => reason === 'not_stored')).toHaveLength(1);
  expect(device.connection).toBe(connection);
});

test('a session whose write the server fails can be logged out', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  balcao.leaseSeconds = 20;
  const session = balcao.session(1);
  const gateway = world.gateway();
  const device = await world.link(session);
  balcao.onCommit = failing;
  await whatsapp.write(maria, device, { conversation: 'Ruim' });
  await until(() => session.of('session').at(-1)?.reason === 'not_stored');
  session.stop = { logout: true };
  await until(() => whatsapp.devices.length === 0);
  await until(() => gateway.output.includes('session dropped'));
  expect(session.credentials).toBeNull();
  expect(device.receipts).toEqual([]);
});

test('a write of an older epoch is refused, and the session dropped unanswered', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(1);
  const gateway = world.gateway();
  const device = await world.link(session);
  Object.assign(session, { epoch: session.epoch + 1, owner: 'another', leaseUntil: Infinity });
  await whatsapp.write(maria, device, { conversation: 'Para quem?' });
  await until(() => gateway.output.includes('session dropped'));
  await until(() => device.connection === null);
  expect(device.waiting.size).toBe(1);
  expect(session.texts).toEqual([]);
});

test('a gateway that ends gives its sessions back at once', async () => {
  const world = await World.begin();
  const { balcao } = world;
  balcao.leaseSeconds = 60;
  const session = balcao.session(1);
  const gateway = world.gateway();
  const device = await world.link(session);
  expect(await gateway.stop()).toBe(0);
  expect(session.owner).toBe('');
  // The first call, others, and the last, each counted.
  expect(Math.min(...balcao.calls.values())).toBeGreaterThan(1);
  await until(() => device.connection === null);
  expect(world.whatsapp.devices).toHaveLength(1);
});

test('an owner beats each second, and counts the beats in a row that were answered', async () => {
  const world = await World.begin();
  const { balcao } = world;
  balcao.beatSeconds = 1;
  balcao.session(1);
  world.gateway();
  await until(() => balcao.beats.some(({ steady }) => steady >= 3));
  balcao.isDeaf = true;
  await delay(2_500);
  const before = balcao.beats.length;
  balcao.isDeaf = false;
  await until(() => balcao.beats.length > before);
  expect(balcao.beats.slice(0, 4).map(({ steady }) => steady)).toEqual([0, 1, 2, 3]);
  expect(balcao.beats[before]?.steady).toBe(0);
});

test('an owner that the server does not hear opens no connection: another may have the session', async () => {
  const world = await World.begin();
  const { balcao } = world;
  balcao.beatSeconds = 1;
  // No lease call is due meanwhile.
  balcao.leaseSeconds = 60;
  const session = balcao.session(1);
  world.gateway();
  const device = await world.link(session);
  balcao.isDeaf = true;
  await delay(6_000);
  // What is open stays so.
  expect(device.connection?.isOpen).toBe(true);
  device.connection?.cut();
  await delay(4_000);
  expect(device.connection?.isOpen ?? false).toBe(false);
  balcao.isDeaf = false;
  await until(() => device.connection?.isOpen);
  expect(session.owners).toHaveLength(1);
});
