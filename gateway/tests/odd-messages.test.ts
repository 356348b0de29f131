import { proto } from 'baileys';
import type { BinaryNode } from 'baileys';
import { expect, test } from 'vitest';
import { streamError } from './fake/whatsapp.js';
import { linked, until, World } from './fake/world.js';
import type { Linked } from './fake/world.js';

const shop = linked();
/** What no key decrypts. */
const NOISE = { tag: 'enc', attrs: { v: '2', type: 'msg' }, content: Buffer.alloc(80, 3) };
const UNKNOWN = { type: 'unknown', body: 'unknown' };

function eventOf(id: string) {
  return until(() => shop.session.of('message').find(({ externalId }) => externalId === id));
}

/** Hand over a message of Maria's whose parts are as given. */
async function hand(
  id: string,
  content: BinaryNode[],
  { device, world }: Pick<Linked, 'device' | 'world'> = shop,
) {
  const t = String(Math.floor(Date.now() / 1000));
  const attrs = { id, from: world.maria.jid, sender_lid: world.maria.lid, t, type: 'text' };
  await device.hand({ tag: 'message', attrs: { ...attrs, notify: 'Maria' }, content });
}

function held({ keys } = shop.session): unknown[] {
  return [...keys.entries()].filter(([name]) => name.startsWith('unreadable/'));
}

test('half a character arrives as one that stands for it', async () => {
  const { world, device } = shop;
  const whole = Buffer.from(proto.Message.encode({ conversation: 'Olá ABC' }).finish());
  // What no keyboard writes: the three bytes of half a character.
  whole.set([0xed, 0xa0, 0x80], whole.indexOf('ABC'));
  const bytes = new Uint8Array(whole);
  const message = proto.Message.decode(bytes);
  expect(message.conversation).toBe('Olá \ud800');
  const encode = proto.Message.encode.bind(proto.Message);
  proto.Message.encode = () => ({ finish: () => bytes }) as never;
  const id = await world.whatsapp
    .write(world.maria, device, message)
    .finally(() => (proto.Message.encode = encode));
  expect(await eventOf(id)).toMatchObject({ body: 'Olá \ufffd' });
  await until(() => !device.waiting.has(id));
});

test('a message that cannot be understood is told, and the next arrives', async () => {
  const { world, device } = shop;
  // A reaction to nothing: the library itself stumbles over it.
  const reaction = { reactionMessage: { text: '👍' } };
  const id = await world.whatsapp.write(world.maria, device, reaction);
  expect(await eventOf(id)).toMatchObject({ type: 'reaction', fromMe: false });
  const next = await world.whatsapp.write(world.maria, device, { conversation: 'E agora?' });
  expect(await eventOf(next)).toMatchObject({ body: 'E agora?' });
  await until(() => device.waiting.size === 0);
  expect(device.refusals.filter((refusal) => refusal.id === id)).toEqual([]);
});

test('answers that quote answers are stored as deep as the server reads', async () => {
  const { world, device } = shop;
  let message: proto.IMessage = { conversation: 'primeira' };
  for (let depth = 0; depth < 90; depth += 1) {
    const contextInfo = { stanzaId: 'A', quotedMessage: message };
    message = { extendedTextMessage: { text: `resposta ${depth}`, contextInfo } };
  }
  const id = await world.whatsapp.write(world.maria, device, message);
  expect(await eventOf(id)).toMatchObject({ body: 'resposta 89', raw: {} });
});

test.each(['view_once', 'view_once_unavailable_fanout', 'hosted_unavailable_fanout'])(
  'what only the phone shows (%s) is told as unknown',
  async (type) => {
    await hand(`ONLY-${type}`, [{ tag: 'unavailable', attrs: { type } }]);
    const { maria } = shop.world;
    expect(await eventOf(`ONLY-${type}`)).toMatchObject({
      ...UNKNOWN,
      chat: { number: maria.number, lid: maria.lid, group: '' },
      sender: { name: 'Maria' },
    });
    await until(() => shop.device.waiting.size === 0);
  },
);

test('what cannot be decrypted is kept until it comes again', async () => {
  const { world, device } = shop;
  await hand('LATER', [NOISE]);
  await until(() => device.refusals.some(({ id }) => id === 'LATER'));
  // Stored before WhatsApp heard that it could not be read.
  expect(held()).toHaveLength(1);
  await world.whatsapp.write(world.maria, device, { conversation: 'De novo' }, { id: 'LATER' });
  expect(await eventOf('LATER')).toMatchObject({ body: 'De novo' });
  expect(held()).toEqual([]);
});

test('what comes again by the next connection is not told as unknown', async () => {
  const world = await World.begin();
  const session = world.balcao.session(7);
  world.gateway('one', { WHATSAPP_UNREADABLE_SECONDS: '10' });
  const device = await world.link(session);
  const opened = () => session.statuses.filter((status) => status === 'CONNECTED').length;
  await hand('LATER', [NOISE], { device, world });
  await until(() => device.refusals.some(({ id }) => id === 'LATER'));
  const before = opened();
  await device.connection?.end(streamError('', { code: '515' }));
  await until(() => opened() > before);
  await world.whatsapp.write(world.maria, device, { conversation: 'De novo' }, { id: 'LATER' });
  await until(() => session.texts.includes('De novo'));
  expect(held(session)).toEqual([]);
  // What is told of one that came after it would have been told of it before.
  await hand('NEVER', [NOISE], { device, world });
  await until(() => session.texts.includes('unknown'));
  expect(session.of('message').map(({ externalId }) => externalId)).toEqual([
    'LATER',
    'NEVER-unread',
  ]);
});

test('what only the phone has as yet is kept until the phone gives it', async () => {
  await hand('ON-PHONE', [{ tag: 'unavailable', attrs: {} }]);
  await until(() => held().length === 1);
  await until(() => !shop.device.waiting.has('ON-PHONE'));
  expect(JSON.stringify(held())).toContain('ON-PHONE');
});

test("what comes through a customer's list of receivers is a message of theirs", async () => {
  const { world, device } = shop;
  const { maria } = world;
  const message = { conversation: 'Feliz Natal a todos' };
  const list = '1234567890@broadcast';
  const id = await world.whatsapp.write(maria, device, message, { list });
  expect(await eventOf(id)).toMatchObject({
    chat: { number: maria.number, lid: maria.lid, group: '' },
    sender: { number: maria.number, name: 'Maria' },
    body: 'Feliz Natal a todos',
  });
  await until(() => !device.waiting.has(id));
});

test('the news that people show to all their contacts are nobody’s message', async () => {
  const { world, device, session } = shop;
  const message = { conversation: 'Meu status' };
  const list = 'status@broadcast';
  const id = await world.whatsapp.write(world.maria, device, message, { list });
  await until(() => !device.waiting.has(id));
  const after = await world.whatsapp.write(world.maria, device, { conversation: 'Depois' });
  await eventOf(after);
  expect(session.texts).not.toContain('Meu status');
});
