import { expect, test } from 'vitest';
import type { StoredSession, Written } from './fake/balcao.js';
import type { Device } from './fake/device.js';
import { until, World } from './fake/world.js';
import type { GatewayProcess } from './fake/world.js';

interface Shop {
  world: World;
  session: StoredSession;
  gateway: GatewayProcess;
  device: Device;
}

async function shop(): Promise<Shop> {
  const world = await World.begin();
  const session = world.balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  return { world, session, gateway, device };
}

/** A new process takes the session over; returns when it is open again. */
async function takenOver({ world, session }: Shop): Promise<GatewayProcess> {
  const opened = () => session.statuses.filter((status) => status === 'CONNECTED').length;
  const before = opened();
  // The process is dead, so nobody has to wait for its lease; owners.test.ts does.
  session.leaseUntil = 0;
  const gateway = world.gateway('two');
  await until(() => opened() > before);
  return gateway;
}

function hasMessage({ events }: Written): boolean {
  return events?.some(({ kind }) => kind === 'message') ?? false;
}

/** Both sides still read each other: no ratchet was left behind. */
async function talk({ world, session, device }: Shop): Promise<void> {
  await world.whatsapp.write(world.maria, device, { conversation: 'Ainda aí?' });
  await until(() => session.texts.includes('Ainda aí?'));
  const id = '3EB0AAAAAAAAAAAAAAAAAA';
  const body = { to: world.maria.number, id, body: 'Sim' };
  expect((await world.balcao.command(session, 'text', body)).status).toBe(200);
  expect(world.maria.inbox.has(id)).toBe(true);
  expect(world.whatsapp.errors).toEqual([]);
}

test.each([
  ['before the message is stored', 'lost'],
  ['after the message is stored, before it knows', 'silent'],
] as const)('killed %s: the message is there once', async (_when, outcome) => {
  const all = await shop();
  const { world, session, gateway, device } = all;
  world.balcao.onCommit = async (written) => {
    if (!hasMessage(written)) return 'answer';
    world.balcao.onCommit = () => Promise.resolve('answer');
    await gateway.kill();
    return outcome;
  };
  const id = await world.whatsapp.write(world.maria, device, { conversation: 'Primeira' });
  await world.whatsapp.write(world.maria, device, { conversation: 'Segunda' });
  await until(() => !gateway.isRunning);
  expect(device.receipts).toEqual([]);
  await takenOver(all);
  await until(() => device.waiting.size === 0);
  expect(session.texts).toEqual(['Primeira', 'Segunda']);
  expect(device.handed.get(id)).toBe(2);
  expect(device.refusals).toEqual([]);
  await talk(all);
});

test('killed after storing, before WhatsApp heard of it: the message is there once', async () => {
  const all = await shop();
  const { world, session, gateway, device } = all;
  const { connection } = device;
  if (connection) connection.isDeaf = true;
  const group = '120363000000000001@g.us';
  await world.whatsapp.write(world.maria, device, { conversation: 'Ao grupo' }, { group });
  await until(() => session.texts.length === 1);
  await gateway.kill();
  await takenOver(all);
  await until(() => device.waiting.size === 0);
  expect(session.texts).toEqual(['Ao grupo']);
  expect(device.refusals).toEqual([]);
  await world.whatsapp.write(world.maria, device, { conversation: 'Outra' }, { group });
  await until(() => session.texts.length === 2);
  await talk(all);
});

test('killed while sending: the same row again is one message', async () => {
  const all = await shop();
  const { world, session, gateway } = all;
  const { maria, balcao, whatsapp } = world;
  const body = { to: maria.number, id: '3EB0BBBBBBBBBBBBBBBBBB', body: 'Uma vez' };
  let left = false;
  whatsapp.onMessage = () => {
    // The frame left; whether it arrived nobody says.
    left = true;
    return false;
  };
  const first = balcao.command(session, 'text', body).catch(() => null);
  await until(() => left);
  await gateway.kill();
  expect(await first).toBeNull();
  whatsapp.onMessage = () => true;
  await takenOver(all);
  expect((await balcao.command(session, 'text', body)).status).toBe(200);
  expect([...maria.inbox.keys()]).toEqual([body.id]);
  await talk(all);
});

test('killed after WhatsApp took the message: sent again, it is still one', async () => {
  const all = await shop();
  const { world, session, gateway } = all;
  const { maria, balcao } = world;
  const body = { to: maria.number, id: '3EB0CCCCCCCCCCCCCCCCCC', body: 'Uma vez' };
  await balcao.command(session, 'text', body);
  await gateway.kill();
  await takenOver(all);
  expect((await balcao.command(session, 'text', body)).status).toBe(200);
  expect([...maria.inbox.keys()]).toEqual([body.id]);
  await talk(all);
});

test('killed while linking: a new code links', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  const gateway = world.gateway();
  world.balcao.onCommit = async ({ credentials }) => {
    if (!credentials) return 'answer';
    world.balcao.onCommit = () => Promise.resolve('answer');
    await gateway.kill();
    return 'lost';
  };
  const code = () => session.of('session').findLast(({ qr }) => qr)?.qr;
  const qr = await until(code);
  await world.whatsapp.scan(qr as string, world.shop);
  await until(() => !gateway.isRunning);
  expect(session.credentials).toBeNull();
  world.gateway('two');
  await until(() => code() !== qr);
  const device = await world.link(session);
  await talk({ world, session, gateway, device });
});

test('a tick that was not stored comes again', async () => {
  const all = await shop();
  const { world, session, gateway, device } = all;
  const id = '3EB0DDDDDDDDDDDDDDDDDD';
  const body = { to: world.maria.number, id, body: 'Leia' };
  await world.balcao.command(session, 'text', body);
  world.balcao.onCommit = async ({ events }) => {
    if (!events?.some(({ id: step }) => step === `s:${id}::4`)) return 'answer';
    world.balcao.onCommit = () => Promise.resolve('answer');
    await gateway.kill();
    return 'lost';
  };
  await world.whatsapp.receipt(world.maria, device, id, 'read');
  await until(() => !gateway.isRunning);
  expect(device.waiting.has(id)).toBe(true);
  await takenOver(all);
  await until(() => session.of('status').some(({ ack }) => ack === 4));
  await until(() => device.waiting.size === 0);
});
