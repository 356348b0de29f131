import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Device } from './fake/device.js';
import { streamError } from './fake/whatsapp.js';
import { until, World } from './fake/world.js';

test('the code is scanned, the stream begins anew, and the session is open', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  await world.link(session);
  expect(session.statuses).toEqual(['OPENING', 'qrcode', 'PAIRING', 'CONNECTED']);
  expect(session.of('session').at(2)).toMatchObject({ reason: 'scanned' });
  const { number, lid } = world.shop;
  expect(session.of('session').at(-1)).toMatchObject({ me: { number, lid } });
  expect(session.credentials).not.toBeNull();
});

test('another login takes the place, and nobody takes it back', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  await device.connection?.end(streamError('conflict', { type: 'replaced' }));
  await until(() => session.statuses.at(-1) === 'DISCONNECTED');
  expect(session.of('session').at(-1)).toMatchObject({ reason: 'replaced', detail: '440' });
  expect(session.credentials).not.toBeNull();
  // A person asks for it: the same device again, without a new code.
  await world.balcao.want(session);
  await until(() => session.statuses.at(-1) === 'CONNECTED');
  expect(world.whatsapp.devices).toHaveLength(1);
});

test('taken off on the phone: all is forgotten, and a new code links again', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  world.whatsapp.devices.splice(0);
  await device.connection?.end(streamError('', { code: '401' }));
  await until(() => session.statuses.at(-1) === 'DISCONNECTED');
  expect(session.of('session').at(-1)).toMatchObject({ reason: 'logged_out', detail: '401' });
  expect(session.credentials).toBeNull();
  expect(session.keys.size).toBe(0);
  await world.balcao.want(session);
  await until(() => session.statuses.at(-1) === 'qrcode');
  const again = await world.link(session);
  await world.whatsapp.write(world.maria, again, { conversation: 'De volta?' });
  await until(() => session.texts.includes('De volta?'));
});

test('taken off while the server is away: what waits brings nothing back', async () => {
  const world = await World.begin();
  const { balcao, maria, whatsapp } = world;
  balcao.leaseSeconds = 60;
  const session = balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  // Then what the next one is read with is at hand without the server.
  await whatsapp.write(maria, device, { conversation: 'Oi' });
  await until(() => session.texts.length === 1);
  await until(() => device.waiting.size === 0);
  balcao.isDown = true;
  const id = await whatsapp.write(maria, device, { conversation: 'Antes' });
  await until(() => device.handed.get(id) === 1);
  await setTimeout(500);
  whatsapp.devices.splice(0);
  await device.connection?.end(streamError('', { code: '401' }));
  // Longer than a session that leaves waits for its writes.
  await setTimeout(5_500);
  balcao.onCommit = async () => {
    await until(() => session.credentials === null);
    return 'answer';
  };
  balcao.isDown = false;
  await until(() => gateway.output.includes('session dropped'));
  expect(session.texts).toEqual(['Oi', 'Antes']);
  expect(session.credentials).toBeNull();
  expect(session.keys.size).toBe(0);
});

test('a session that ended is listed no more, and had at once when it is asked for', async () => {
  const world = await World.begin();
  world.balcao.leaseSeconds = 600;
  const session = world.balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  await device.connection?.end(streamError('conflict', { type: 'replaced' }));
  await until(() => session.statuses.at(-1) === 'DISCONNECTED');
  await until(() => gateway.output.includes('session dropped'));
  const health = await fetch(`${session.address}/health`);
  expect(await health.json()).toMatchObject({ sessions: 0 });
  await world.balcao.want(session);
  await until(() => session.statuses.at(-1) === 'CONNECTED');
  expect(session.epoch).toBe(2);
});

test('a web socket that is refused by HTTP ends at once, and the state says why', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.whatsapp.refusal = 405;
  world.gateway();
  const refused = () => session.of('session').filter(({ detail }) => detail === 'HTTP 405');
  await until(() => refused().length === 2, 30_000);
  expect(refused()[0]).toMatchObject({ status: 'OPENING', reason: 'unavailable' });
  world.whatsapp.refusal = 0;
  await world.link(session);
});

test('linked again, the address book is told again', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const people = () => JSON.stringify(session.of('contacts'));
  const write = async (device: Device) => {
    await world.whatsapp.write(world.maria, device, { conversation: 'Sou a Maria' });
    await until(() => people().includes('Maria'));
  };
  await write(await world.link(session));
  expect((await world.balcao.command(session, 'logout')).status).toBe(200);
  // Ids of earlier events stay known; what they told is forgotten.
  const known = session.events.filter(({ kind }) => kind === 'contacts').map(({ id }) => id);
  for (const event of session.events) if (event.kind === 'contacts') event.payload = {};
  await world.balcao.want(session);
  await until(() => session.statuses.at(-1) === 'qrcode');
  await write(await world.link(session));
  const ids = session.events.filter(({ kind }) => kind === 'contacts').map(({ id }) => id);
  expect(new Set(ids).size).toBeGreaterThan(known.length);
});

test('a deleted connection is logged out at the phone', async () => {
  const world = await World.begin();
  world.balcao.leaseSeconds = 600;
  const session = world.balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  world.balcao.sessions.clear();
  await world.whatsapp.write(world.maria, device, { conversation: 'Alguém aí?' });
  await until(() => world.whatsapp.devices.length === 0);
  await until(() => gateway.output.includes('session dropped'));
  expect(gateway.isRunning).toBe(true);
});

test('deleted while a write is on its way: the logout waits for nothing, and is the last', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  let held = 0;
  let answer = (): void => undefined;
  balcao.onCommit = async ({ events = [] }) => {
    if (!events.some(({ kind }) => kind === 'message')) return 'answer';
    held += 1;
    await new Promise<void>((resolve) => (answer = resolve));
    return 'answer';
  };
  await whatsapp.write(maria, device, { conversation: 'Ainda aí?' });
  await until(() => held === 1);
  await whatsapp.write(maria, device, { conversation: 'Alô?' });
  balcao.sessions.delete(7);
  // What it has to read for this tells it.
  await balcao.command(session, 'text', { to: '5511977776666', id: '3EB0EEEEEEEE', body: 'Oi' });
  await until(() => whatsapp.devices.length === 0);
  answer();
  await until(() => session.texts.length > 0);
  await until(() => device.connection === null);
  await setTimeout(1000);
  expect(held).toBe(1);
  expect(device.receipts).toEqual([]);
  expect(device.waiting.size).toBe(2);
  expect(whatsapp.errors).toEqual([]);
});

test('a lost connection is made again', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  device.connection?.cut();
  await until(() => session.statuses.filter((status) => status === 'CONNECTED').length === 2);
  expect(session.statuses.slice(-2)).toEqual(['OPENING', 'CONNECTED']);
  expect(session.of('session').at(-2)).toMatchObject({ reason: 'connection_lost' });
});

test('a WhatsApp that cannot be reached is tried ever later, and the state says why', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.whatsapp.isDown = true;
  const gateway = world.gateway();
  await until(() => session.of('session').some(({ reason }) => reason === 'connection_lost'));
  expect(session.statuses.at(-1)).toBe('OPENING');
  const tries = () => gateway.output.match(/connection closed/g)?.length ?? 0;
  const before = tries();
  await setTimeout(1500);
  // The waits begin anywhere from nothing to two seconds, then to four.
  expect(tries() - before).toBeLessThan(5);
  // Once it is there again, so is the code.
  world.whatsapp.isDown = false;
  await world.link(session);
});

test("a session that was logged out is nobody's at once", async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  await world.link(session);
  expect((await world.balcao.command(session, 'logout')).status).toBe(200);
  const again = await world.balcao.command(session, 'qr');
  expect(again.body).toMatchObject({ code: 'ERR_STALE_EPOCH' });
  expect(session.credentials).toBeNull();
  expect(session.statuses.at(-1)).toBe('DISCONNECTED');
});

test('the server logs out: the phone forgets the device', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  const gateway = world.gateway();
  await world.link(session);
  session.isWanted = false;
  session.stop = { logout: true };
  await until(() => world.whatsapp.devices.length === 0);
  await until(() => session.owner === '');
  expect(session.credentials).toBeNull();
  expect(gateway.isRunning).toBe(true);
});

test('logged out between two connections: the phone forgets the device', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  world.whatsapp.refusal = 503;
  device.connection?.cut();
  await until(() => session.of('session').some(({ reason }) => reason === 'unavailable'));
  world.whatsapp.refusal = 0;
  expect((await world.balcao.command(session, 'logout')).status).toBe(200);
  await until(() => world.whatsapp.devices.length === 0);
  expect(session.credentials).toBeNull();
});

test('logged out while WhatsApp is away: the server keeps the keys, and it is done later', async () => {
  const world = await World.begin();
  const { balcao, whatsapp } = world;
  const session = balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  whatsapp.isDown = true;
  device.connection?.cut();
  await until(() => session.statuses.at(-1) === 'OPENING');
  session.isWanted = false;
  const answer = await balcao.command(session, 'logout');
  expect(answer).toMatchObject({ status: 503, body: { code: 'ERR_NOT_LOGGED_OUT' } });
  await until(() => session.owner === '');
  expect(session.credentials).not.toBeNull();
  balcao.farewells.push({
    farewell: 3,
    credentials: session.credentials,
    browser: session.settings.browser,
  });
  await until(() => gateway.output.includes('"isTold":false'));
  expect(balcao.farewells).toHaveLength(1);
  whatsapp.isDown = false;
  await until(() => whatsapp.devices.length === 0);
  await until(() => balcao.farewells.length === 0);
  // One that WhatsApp knows no more, and one of another kind, need nobody to be told.
  for (const credentials of [session.credentials, { simulated: 'a' }]) {
    balcao.farewells.push({ farewell: 4, credentials, browser: session.settings.browser });
    await until(() => balcao.farewells.length === 0);
  }
  expect(whatsapp.errors).toEqual([]);
});

test('a code to type is made for a number', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  session.link = { number: world.shop.number };
  world.gateway();
  const code = await until(
    () => session.of('session').find(({ pairingCode }) => pairingCode)?.pairingCode,
  );
  expect(code).toMatch(/^[A-Z0-9]{8}$/);
  // WhatsApp gives other codes meanwhile; whoever types sees no other until the connection ends.
  const { length } = session.statuses;
  await until(await world.whatsapp.renewRefs());
  world.whatsapp.cutUnlinked();
  await until(() => session.statuses.length > length + 1);
  const later = session.of('session').slice(length);
  expect(later.map(({ status }) => status)).toEqual(['OPENING', 'qrcode']);
  expect(later[1]).not.toHaveProperty('qr');
  expect(later[1]?.pairingCode).toMatch(/^[A-Z0-9]{8}$/);
});

test('when all codes are used up the session waits for a person', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { qrAttempts: 1 });
  world.gateway();
  const isShown = () => session.statuses.at(-1) === 'qrcode';
  await until(isShown);
  // WhatsApp ends its list of codes; the next would be the second.
  world.whatsapp.cutUnlinked();
  await until(() => session.statuses.at(-1) === 'TIMEOUT');
  expect(session.of('session').at(-1)).toMatchObject({ reason: 'qr_expired' });
  await world.balcao.want(session);
  await until(isShown);
  await world.link(session);
});
