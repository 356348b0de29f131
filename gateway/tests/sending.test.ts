import { createDecipheriv, randomBytes } from 'node:crypto';
import { getMediaKeys, proto } from 'baileys';
import type { MediaType } from 'baileys';
import { expect, test } from 'vitest';
import { linked, until } from './fake/world.js';

const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
const shop = linked();
let serial = 0;

/** Send a command with a new id; returns the id and what Maria got. */
async function sent(command: string, body: Record<string, unknown>) {
  const { world, session } = shop;
  serial += 1;
  const id = `3EB0${String(serial).padStart(18, '0')}`;
  const answer = await world.balcao.command(session, command, {
    to: world.maria.number,
    id,
    ...body,
  });
  expect(answer).toMatchObject({ status: 200, body: { externalId: id } });
  return { id, message: world.maria.inbox.get(id) ?? {} };
}

function steps(id: string): unknown[] {
  return shop.session
    .of('status')
    .filter(({ externalId }) => externalId === id)
    .map(({ ack }) => ack);
}

async function opened(
  kind: MediaType,
  { mediaKey, directPath }: { mediaKey?: Uint8Array | null; directPath?: string | null },
): Promise<Buffer> {
  const whole = shop.world.whatsapp.files.get(directPath ?? '') ?? Buffer.alloc(0);
  const { cipherKey, iv } = await getMediaKeys(mediaKey ?? '', kind);
  const cipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  return Buffer.concat([cipher.update(whole.subarray(0, -10)), cipher.final()]);
}

function textOf(message: proto.IMessage): unknown {
  return message.extendedTextMessage?.text ?? message.conversation;
}

test('a text arrives, and each tick comes back', async () => {
  const { world, device } = shop;
  const { id, message } = await sent('text', { body: 'Seu pedido saiu' });
  expect(textOf(message)).toBe('Seu pedido saiu');
  await until(() => steps(id).includes(2));
  await world.whatsapp.receipt(world.maria, device, id);
  await until(() => steps(id).includes(3));
  await world.whatsapp.receipt(world.maria, device, id, 'read');
  await until(() => steps(id).includes(4));
  await world.whatsapp.receipt(world.maria, device, id, 'played');
  await until(() => steps(id).includes(5));
  expect(steps(id)).toEqual([2, 3, 4, 5]);
});

test('an answer quotes its message', async () => {
  const { maria } = shop.world;
  const replyTo = { chat: maria.number, id: 'QUOTED', fromMe: false, body: 'Tem pão?', type: '' };
  const { message } = await sent('text', { body: 'Tem', replyTo });
  expect(message.extendedTextMessage?.contextInfo).toMatchObject({
    stanzaId: 'QUOTED',
    quotedMessage: { conversation: 'Tem pão?' },
  });
});

test('files arrive whole: a picture, a voice note and a document', async () => {
  const { balcao } = shop.world;
  const bytes = randomBytes(300_000);
  balcao.files.set('token', bytes);
  const url = '/internal/gateway/files/token';
  const image = await sent('media', { kind: 'image', mime: 'image/png', caption: 'Veja', url });
  expect(image.message.imageMessage).toMatchObject({ mimetype: 'image/png', caption: 'Veja' });
  expect((await opened('image', image.message.imageMessage ?? {})).equals(bytes)).toBe(true);
  const mime = 'audio/ogg; codecs=opus';
  const voice = await sent('media', { kind: 'audio', mime, isVoice: true, seconds: 7, url });
  expect(voice.message.audioMessage).toMatchObject({ mimetype: mime, ptt: true, seconds: 7 });
  expect(voice.message.audioMessage?.waveform).toHaveLength(64);
  const name = 'nota.pdf';
  const file = await sent('media', { kind: 'document', mime: 'application/pdf', name, url });
  expect(file.message.documentMessage).toMatchObject({ fileName: name });
  expect((await opened('document', file.message.documentMessage ?? {})).equals(bytes)).toBe(true);
});

test('only the server gives files', async () => {
  const { world, session } = shop;
  const refused = await world.balcao.command(session, 'media', {
    to: world.maria.number,
    id: '3EB0FFFFFFFFFFFFFFFFFF',
    kind: 'image',
    mime: 'image/png',
    url: `${world.whatsapp.mediaUrl}/elsewhere`,
  });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(world.maria.inbox.has('3EB0FFFFFFFFFFFFFFFFFF')).toBe(false);
});

test('places and cards arrive', async () => {
  const place = await sent('location', {
    latitude: -23.5,
    longitude: -46.6,
    name: 'Loja',
    address: 'Rua 1',
  });
  expect(place.message.locationMessage).toMatchObject({ degreesLatitude: -23.5, name: 'Loja' });
  const phones = [{ phone: '+55 11 98888-7777', wa_id: '5511988887777', type: 'CELL' }];
  const card = await sent('contact', { cards: [{ name: 'João', phones }] });
  expect(card.message.contactMessage?.vcard).toContain('waid=5511988887777:+55 11 98888-7777');
});

test('a reaction, an edit and a deletion reach their message', async () => {
  const { world, session } = shop;
  const { maria, balcao, whatsapp } = world;
  const { id } = await sent('text', { body: 'Erado' });
  const message = { chat: maria.number, id, fromMe: true };
  const reaction = await sent('react', { message, emoji: '❤️' });
  expect(reaction.message.reactionMessage).toMatchObject({ text: '❤️', key: { id } });
  const to = maria.number;
  const edited = await balcao.command(session, 'edit', { to, message, body: 'Errado' });
  expect(edited.status).toBe(200);
  expect(whatsapp.taken.at(-1)?.attrs.edit).toBe('1');
  const parts = [...maria.inbox.values()].map(
    (part) => part.protocolMessage ?? part.editedMessage?.message?.protocolMessage,
  );
  const edit = parts.find((part) => part?.type === MESSAGE_EDIT);
  expect(edit).toMatchObject({ key: { id } });
  expect(textOf(edit?.editedMessage ?? {})).toBe('Errado');
  const deleted = await balcao.command(session, 'delete', { to, message });
  expect(deleted.status).toBe(200);
  expect(whatsapp.taken.at(-1)?.attrs.edit).toBe('7');
});

test('reading tells the sender', async () => {
  const { world, session, device } = shop;
  const id = await world.whatsapp.write(world.maria, device, { conversation: 'Leu?' });
  await until(() => session.texts.includes('Leu?'));
  const key = { chat: world.maria.number, id, fromMe: false };
  const read = await world.balcao.command(session, 'read', { messages: [key] });
  expect(read.status).toBe(200);
  await until(() => device.receipts.some((one) => one.id === id && one.type === 'read'));
});

test('numbers are looked up', async () => {
  const { world, session } = shop;
  const numbers = [world.maria.number, '5511000000000'];
  const { body } = await world.balcao.command(session, 'check', { numbers });
  expect(body.numbers).toEqual([
    { number: world.maria.number, exists: true, jid: world.maria.jid, lid: world.maria.lid },
    { number: '5511000000000', exists: false, jid: '', lid: '' },
  ]);
});

test('the picture of somebody is fetched, and not again while it is the same', async () => {
  const { world, session } = shop;
  const { whatsapp, maria } = world;
  const ask = async (known = '') => {
    const of = maria.number;
    return (await world.balcao.command(session, 'picture', { of, known })).body;
  };
  expect(await ask()).toEqual({ picture: '' });
  whatsapp.pictures.set(maria, '/v/maria.jpg');
  whatsapp.files.set('/v/maria.jpg', Buffer.from('a small picture'));
  const first = await ask();
  expect(Buffer.from(first.data as string, 'base64').toString()).toBe('a small picture');
  expect(await ask(first.picture as string)).toEqual({ picture: first.picture });
  whatsapp.pictures.set(maria, '/v/another.jpg');
  expect(await ask()).toEqual({ picture: '' });
});

test('a group gets a message that each member reads', async () => {
  const { world, session } = shop;
  const joana = world.whatsapp.person('5511977776666', 'Joana');
  const members = [world.shop, world.maria, joana];
  const to = '120363000000000009@g.us';
  world.whatsapp.groups.set(to, { subject: 'Família', members });
  const id = '3EB0EEEEEEEEEEEEEEEEEE';
  const answer = await world.balcao.command(session, 'text', { to, id, body: 'Olá a todos' });
  expect(answer.status).toBe(200);
  for (const member of [world.maria, joana]) {
    expect(textOf(member.inbox.get(id) ?? {})).toBe('Olá a todos');
  }
});

test.each([
  ['429', false],
  ['479', false],
  ['503', false],
  ['405', true],
  ['463', true],
])('refused with %s a message is lost for good: %s', async (code, permanent) => {
  const { world, session } = shop;
  const id = `3EB0${code.padStart(18, 'A')}`;
  const body = { to: world.maria.number, id, body: 'Talvez' };
  world.whatsapp.messageError = code;
  const refused = await world.balcao.command(session, 'text', body);
  expect(refused).toMatchObject({ status: 422, body: { code: `WHATSAPP_${code}`, permanent } });
  if (permanent) {
    await until(() => steps(id).length === 1);
    expect(steps(id)).toEqual([-1]);
    return;
  }
  // The same again is taken, and no step has said that it was lost.
  expect((await world.balcao.command(session, 'text', body)).status).toBe(200);
  await until(() => steps(id).includes(2));
  expect(steps(id)).toEqual([2]);
});

test('a file that the server refuses is refused with its word', async () => {
  const { world, session } = shop;
  const refused = await world.balcao.command(session, 'media', {
    to: world.maria.number,
    id: '3EB0ABABABABABABABABAB',
    kind: 'audio',
    mime: 'audio/ogg',
    url: '/internal/gateway/files/unreadable',
  });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'ERR_AUDIO_UNREADABLE', permanent: true, outcomeUnknown: false },
  });
});

test('an edit has the id that the server gave it', async () => {
  const { world, session } = shop;
  const { id } = await sent('text', { body: 'A' });
  const message = { chat: world.maria.number, id, fromMe: true };
  for (const [edit, body] of [
    ['3EB0E1', 'B'],
    ['3EB0E2', 'A'],
    ['3EB0E3', 'B'],
  ]) {
    const command = { to: world.maria.number, id: edit, message, body };
    expect((await world.balcao.command(session, 'edit', command)).status).toBe(200);
  }
  for (const edit of ['3EB0E1', '3EB0E2', '3EB0E3']) expect(world.maria.inbox.has(edit)).toBe(true);
});

test('the same id again is the same message', async () => {
  const { world, session } = shop;
  const body = { to: world.maria.number, id: '3EB0DDDDDDDDDDDDDDDDDD', body: 'Uma só' };
  const both = await Promise.all([
    world.balcao.command(session, 'text', body),
    world.balcao.command(session, 'text', body),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(world.maria.arrivals.get(body.id)).toBe(1);
});

test('a phone that could not read a message gets it once more', async () => {
  const { world, device } = shop;
  const { id } = await sent('text', { body: 'Outra vez' });
  const t = String(Math.floor(Date.now() / 1000));
  await device.hand({
    tag: 'receipt',
    attrs: { id, from: world.maria.jid, type: 'retry', t },
    content: [{ tag: 'retry', attrs: { count: '1', id, t, v: '1' } }],
  });
  await until(() => world.maria.arrivals.get(id) === 2);
});

test('a wrong signature and a stale epoch are refused', async () => {
  const { world, session } = shop;
  const body = { to: world.maria.number, id: '3EB0CCCCCCCCCCCCCCCCCC', body: 'Não' };
  const wrong = await world.balcao.command(session, 'text', body, 'another secret');
  expect(wrong).toMatchObject({ status: 401, body: { code: 'ERR_GATEWAY_SIGNATURE' } });
  const stale = await world.balcao.command(session, 'text', { ...body, epoch: 0 });
  expect(stale).toMatchObject({ status: 409, body: { code: 'ERR_STALE_EPOCH' } });
  expect(world.maria.inbox.has(body.id)).toBe(false);
});
