import { deflateSync } from 'node:zlib';
import { proto } from 'baileys';
import { expect, test } from 'vitest';
import type { Device } from './fake/device.js';
import { pollWith, SECRET } from './fake/polls.js';
import { until, World } from './fake/world.js';

const { HISTORY_SYNC_NOTIFICATION } = proto.Message.ProtocolMessage.Type;
const { RECENT } = proto.HistorySync.HistorySyncType;

const GROUP = '120363000000000001@g.us';

/** The shop's phone hands its past over: two messages with Maria, or what is given, newest first. */
async function handOver(
  { whatsapp, maria, shop }: World,
  device: Device,
  said: (string | proto.IWebMessageInfo)[] = ['Temos', 'Tem?'],
): Promise<string> {
  const messages = said.map((each, place) => ({
    message: {
      key: { remoteJid: maria.jid, fromMe: place % 2 === 0, id: `PAST${said.length - place}` },
      messageTimestamp: 1790000000 + 60 * (said.length - place),
      ...(typeof each === 'string' ? { message: { conversation: each } } : each),
    },
  }));
  // What was said in groups is left out.
  const ofGroup = { remoteJid: GROUP, fromMe: true, id: 'PAST-GROUP' };
  const history = proto.HistorySync.encode(
    proto.HistorySync.fromObject({
      syncType: RECENT,
      progress: 100,
      conversations: [
        { id: maria.jid, name: 'Maria da Silva', messages },
        {
          id: GROUP,
          messages: [{ message: { key: ofGroup, message: { conversation: 'A todos' } } }],
        },
      ],
    }),
  ).finish();
  const historySyncNotification = {
    syncType: RECENT as number,
    progress: 100,
    initialHistBootstrapInlinePayload: deflateSync(history),
  };
  const message = proto.Message.fromObject({
    protocolMessage: { type: HISTORY_SYNC_NOTIFICATION, historySyncNotification },
  });
  return whatsapp.write(shop, device, message, { attrs: { category: 'peer' } });
}

function isPast({ id }: { id: string }): boolean {
  return id.includes('PAST');
}

test('the past is told oldest first, once, with the address book', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { syncHistory: true });
  world.gateway();
  const device = await world.link(session);
  await handOver(world, device);
  await until(() => session.texts.length === 2);
  expect(session.texts).toEqual(['Tem?', 'Temos']);
  expect(session.of('message').map(({ fromMe, isHistory }) => [fromMe, isHistory])).toEqual([
    [false, true],
    [true, true],
  ]);
  await until(() => JSON.stringify(session.of('contacts')).includes('Maria da Silva'));
  // The phone hands it over again, and WhatsApp gives an old message once more.
  await handOver(world, device);
  const id = await world.whatsapp.write(world.maria, device, { conversation: 'Hoje' });
  await until(() => session.of('message').some(({ externalId }) => externalId === id));
  await until(() => device.waiting.size === 0);
  expect(session.events.filter(isPast)).toHaveLength(2);
});

test('a poll of the past brings the secret that stands beside it', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { syncHistory: true });
  world.gateway();
  const device = await world.link(session);
  const { pollCreationMessageV3 } = pollWith('Almoço?', ['Pizza', 'Salada']);
  const poll = { message: { pollCreationMessageV3 }, messageSecret: SECRET };
  await handOver(world, device, [poll]);
  const told = await until(() => session.of('message')[0]);
  const secret = SECRET.toString('base64');
  expect(told).toMatchObject({ isHistory: true, type: 'poll', poll: { name: 'Almoço?', secret } });
});

test('a long past is told little by little, and what is said meanwhile at once', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { syncHistory: true });
  world.gateway();
  const device = await world.link(session);
  const most: number[] = [];
  world.balcao.onCommit = ({ events = [] }) => {
    most.push(events.filter(isPast).length);
    return Promise.resolve('answer');
  };
  const past = Array.from({ length: 180 }, (_, place) => `Antes ${place}`);
  await handOver(world, device, past.toReversed());
  await until(() => session.texts.length > 0);
  await world.whatsapp.write(world.maria, device, { conversation: 'Agora' });
  await until(() => session.texts.includes('Agora'));
  expect(session.texts.length).toBeLessThan(past.length);
  await until(() => session.texts.length === past.length + 1);
  expect(session.texts.filter((text) => text !== 'Agora')).toEqual(past);
  expect(Math.max(...most)).toBe(50);
});

test('a connection lost amid the past: the next one tells the rest', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { syncHistory: true });
  world.gateway();
  const device = await world.link(session);
  const past = Array.from({ length: 120 }, (_, place) => `Antes ${place}`);
  await handOver(world, device, past.toReversed());
  await until(() => session.texts.length > 0);
  device.connection?.cut();
  await until(() => session.texts.length === past.length);
  expect(session.texts).toEqual(past);
});

test('without the wish for it no old message is told', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway();
  const device = await world.link(session);
  await handOver(world, device);
  await until(() => JSON.stringify(session.of('contacts')).includes('Maria da Silva'));
  expect(session.texts).toEqual([]);
});

test('killed after WhatsApp heard that the past arrived: the next owner tells it', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7, { syncHistory: true });
  const gateway = world.gateway();
  const device = await world.link(session);
  world.balcao.onCommit = async ({ events }) => {
    if (!events?.some(isPast)) return 'answer';
    world.balcao.onCommit = () => Promise.resolve('answer');
    await gateway.kill();
    return 'lost';
  };
  const id = await handOver(world, device);
  await until(() => !gateway.isRunning);
  expect(device.waiting.has(id)).toBe(false);
  expect(session.texts).toEqual([]);
  session.leaseUntil = 0;
  world.gateway('two');
  await until(() => session.texts.length === 2);
  expect(session.texts).toEqual(['Tem?', 'Temos']);
});
