import { createHash, randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../src/contract.js';
import type { Person } from './fake/person.js';
import { linked, until } from './fake/world.js';

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;
const shop = linked();

type More = Parameters<typeof shop.world.whatsapp.write>[3];

/** What the server stored of a message that somebody wrote. */
async function received(message: proto.IMessage, more?: More, from?: Person): Promise<JsonObject> {
  const { world, device } = shop;
  const id = await world.whatsapp.write(from ?? world.maria, device, message, more);
  return stored(id);
}

function stored(id: string): Promise<JsonObject> {
  return until(() => shop.session.of('message').find(({ externalId }) => externalId === id));
}

test('a text tells who wrote it, by number and LID', async () => {
  const { maria } = shop.world;
  const person = { number: maria.number, lid: maria.lid };
  const text = await received({ extendedTextMessage: { text: 'Bom dia' } });
  expect(text).toMatchObject({
    chat: { ...person, group: '' },
    sender: { ...person, name: 'Maria' },
    fromMe: false,
    type: 'conversation',
    body: 'Bom dia',
    isHistory: false,
  });
  expect(Math.abs(Number(text.sentAt) - Date.now() / 1000)).toBeLessThan(60);
});

test('a message from a LID is of the person whose number comes with it', async () => {
  const { maria } = shop.world;
  const text = await received({ conversation: 'Sou eu' }, { byLid: true });
  expect(text.chat).toEqual({ number: maria.number, lid: maria.lid, group: '' });
  expect(shop.session.of('identity')).toContainEqual({ number: maria.number, lid: maria.lid });
});

test('what one person writes at once keeps its order, however slowly the first is looked up', async () => {
  const { world, session, device } = shop;
  const { balcao, whatsapp } = world;
  const rita = whatsapp.person('5511966665555', 'Rita');
  let reads = 0;
  balcao.onRead = async () => {
    reads += 1;
    if (reads === 1) await new Promise((resolve) => setTimeout(resolve, 400));
  };
  await whatsapp.write(rita, device, { conversation: 'Primeira' });
  await whatsapp.write(rita, device, { conversation: 'Segunda' });
  await whatsapp.write(world.maria, device, { conversation: 'Terceira' });
  await until(() => session.texts.length >= 3 && session.texts.includes('Terceira'));
  balcao.onRead = () => Promise.resolve();
  expect(reads).toBeGreaterThan(0);
  const said = session.texts.filter((text) => /^(Primeira|Segunda|Terceira)$/.test(text));
  expect(said).toEqual(['Primeira', 'Segunda', 'Terceira']);
});

test('the delivery is told to WhatsApp', async () => {
  const { externalId } = await received({ conversation: 'Chegou?' });
  await until(() => shop.device.receipts.some(({ id }) => id === externalId));
  expect(shop.device.waiting.has(externalId as string)).toBe(false);
});

test('a picture comes with what fetches it, and is fetched decrypted', async () => {
  const { world, session } = shop;
  const bytes = randomBytes(70_000);
  const file = await world.whatsapp.upload('image', bytes);
  const picture = await received({
    imageMessage: { ...file, mimetype: 'image/jpeg', caption: 'O recibo' },
  });
  expect(picture).toMatchObject({
    type: 'image',
    body: 'O recibo',
    media: { mime: 'image/jpeg', size: bytes.length, isVoice: false },
  });
  const { reference } = picture.media as JsonObject;
  const fetched = await world.balcao.command(session, 'download', { reference });
  expect(fetched.status).toBe(200);
  expect(createHash('sha256').update(fetched.bytes).digest('hex')).toBe(
    createHash('sha256').update(bytes).digest('hex'),
  );
});

test('a file that WhatsApp has no more is gone for good', async () => {
  const { world, session } = shop;
  const file = await world.whatsapp.upload('audio', randomBytes(900));
  const voice = await received({
    audioMessage: { ...file, mimetype: 'audio/ogg; codecs=opus', ptt: true, seconds: 4 },
  });
  expect(voice).toMatchObject({ type: 'audio', media: { isVoice: true, seconds: 4 } });
  world.whatsapp.files.delete(file.directPath);
  const { reference } = voice.media as JsonObject;
  const fetched = await world.balcao.command(session, 'download', { reference });
  expect(fetched).toMatchObject({ status: 404, body: { code: 'ERR_MEDIA_GONE', permanent: true } });
});

test('a message that disappears, or is seen once, is read like any other', async () => {
  const inner = { message: { extendedTextMessage: { text: 'Some logo' } } };
  expect(await received({ ephemeralMessage: inner })).toMatchObject({ body: 'Some logo' });
  const image = { imageMessage: { mimetype: 'image/jpeg', caption: 'Uma vez' } };
  expect(await received({ viewOnceMessageV2: { message: image } })).toMatchObject({
    type: 'image',
    body: 'Uma vez',
  });
});

test('an answer names what it answers', async () => {
  const contextInfo = { stanzaId: 'ABC123', isForwarded: true };
  const answer = await received({ extendedTextMessage: { text: 'Este', contextInfo } });
  expect(answer).toMatchObject({ replyTo: 'ABC123', data: { forwarded: true } });
});

test('a reaction, an edit and a revoke name their message', async () => {
  const key = { remoteJid: shop.world.maria.jid, fromMe: false, id: 'ABC123' };
  expect(await received({ reactionMessage: { key, text: '👍' } })).toMatchObject({
    type: 'reaction',
    reaction: { to: 'ABC123', emoji: '👍' },
  });
  const edited = { type: MESSAGE_EDIT, key, editedMessage: { conversation: 'Corrigido' } };
  expect(await received({ protocolMessage: edited })).toMatchObject({
    type: 'edit',
    body: 'Corrigido',
    edits: 'ABC123',
  });
  expect(await received({ protocolMessage: { type: REVOKE, key } })).toMatchObject({
    type: 'delete',
    deletes: 'ABC123',
  });
});

test('places, cards, polls and choices keep what they are', async () => {
  const place = { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'Loja', address: 'Rua 1' };
  expect(await received({ locationMessage: place })).toMatchObject({
    type: 'location',
    data: { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua 1' },
  });
  const card = { displayName: 'João', vcard: 'BEGIN:VCARD\nEND:VCARD' };
  expect(await received({ contactMessage: card })).toMatchObject({
    type: 'contact',
    data: { contacts: [{ name: 'João', vcard: card.vcard }] },
  });
  const options = [{ optionName: 'Sim' }, { optionName: 'Não' }];
  const poll = { name: 'Vem?', options, selectableOptionsCount: 1 };
  expect(await received({ pollCreationMessageV3: poll })).toMatchObject({
    type: 'poll',
    poll: { name: 'Vem?', options: ['Sim', 'Não'], selectable: 1 },
  });
  const chosen = { title: 'Vendas', singleSelectReply: { selectedRowId: 'queue-2' } };
  expect(await received({ listResponseMessage: chosen })).toMatchObject({
    type: 'conversation',
    body: 'Vendas',
    choiceId: 'queue-2',
  });
});

test('a call that nobody took is told, another is not', async () => {
  const { CONNECTED, MISSED, REJECTED } = proto.Message.CallLogMessage.CallOutcome;
  for (const callOutcome of [CONNECTED, REJECTED]) {
    const { world, device } = shop;
    await world.whatsapp.write(world.maria, device, { callLogMesssage: { callOutcome } });
  }
  const told = shop.session.of('message').length;
  const missed = { callLogMesssage: { isVideo: true, callOutcome: MISSED } };
  expect(await received(missed)).toMatchObject({ type: 'call_log', data: { isVideo: true } });
  expect(shop.session.of('message')).toHaveLength(told + 1);
});

test('a message with an id that nobody would choose is stored like any other', async () => {
  const id = `A\u0000${'B'.repeat(300)}`;
  expect(await received({ conversation: 'Estranho' }, { id })).toMatchObject({ body: 'Estranho' });
  const event = shop.session.events.find(({ payload }) => payload.externalId === id);
  expect(event?.id).toMatch(/^m:[0-9a-f]{64}$/);
});

test('what is not known is kept whole', async () => {
  const order = { orderMessage: { orderId: '77', orderTitle: 'Cesta' } };
  const unknown = await received(order);
  expect(unknown).toMatchObject({ type: 'unknown', body: 'unknown' });
  expect(unknown.raw).toMatchObject({ message: order });
});

test('a group is the conversation, its member the sender', async () => {
  const { world } = shop;
  const group = '120363000000000001@g.us';
  const first = await received({ conversation: 'Oi, grupo' }, { group });
  const { number, lid } = world.maria;
  expect(first).toMatchObject({
    chat: { number: '', lid: '', group },
    sender: { number, lid, name: 'Maria' },
    body: 'Oi, grupo',
  });
  // The second comes under the group's key alone.
  expect(await received({ conversation: 'De novo' }, { group })).toMatchObject({ body: 'De novo' });
});

test('what a group is called is told after its first message, once', async () => {
  const { world, session } = shop;
  const group = '120363000000000002@g.us';
  // Nobody of it answers yet.
  await received({ conversation: 'Oi' }, { group });
  world.whatsapp.groups.set(group, { subject: 'Família', members: [world.shop, world.maria] });
  const names = () => session.of('group').filter((told) => told.group === group);
  await received({ conversation: 'E agora?' }, { group });
  await until(() => names().length > 0);
  await received({ conversation: 'De novo' }, { group });
  expect(names()).toEqual([{ group, subject: 'Família' }]);
  const kinds = session.events.filter(({ partition }) => partition === group);
  expect(kinds.map(({ kind }) => kind).indexOf('group')).toBeGreaterThan(0);
});

test('a connection that ends before the answer comes loses no name', async () => {
  const { world, session } = shop;
  const group = '120363000000000011@g.us';
  world.whatsapp.groups.set(group, { subject: 'Obra', members: [world.shop, world.maria] });
  const asked = vi.spyOn(world.whatsapp, 'subjectOf').mockImplementationOnce(() => {
    shop.device.connection?.cut();
    return '';
  });
  await world.whatsapp.write(world.maria, shop.device, { conversation: 'Oi' }, { group });
  await until(() => asked.mock.calls.length > 0);
  await until(() => session.of('group').some(({ subject }) => subject === 'Obra'));
});

test('what the shop wrote on its phone is from us', async () => {
  const { world, device } = shop;
  const { maria, shop: owner } = world;
  const message = {
    deviceSentMessage: { destinationJid: maria.jid, message: { conversation: 'Pelo celular' } },
  };
  const attrs = { recipient: maria.jid };
  const id = await world.whatsapp.write(owner, device, message, { attrs });
  expect(await stored(id)).toMatchObject({
    chat: { number: maria.number },
    sender: { number: owner.number },
    fromMe: true,
    body: 'Pelo celular',
  });
});

test('a call is told and can be rejected', async () => {
  const { world, session, device } = shop;
  const from = world.maria.jid;
  await device.hand({
    tag: 'call',
    attrs: { id: 'CALL-1', from, t: '1795000000' },
    content: [{ tag: 'offer', attrs: { 'call-id': 'C1', 'call-creator': from }, content: [] }],
  });
  const call = await until(() => session.of('call')[0]);
  expect(call).toMatchObject({
    callId: 'C1',
    from: { number: world.maria.number },
    isVideo: false,
    state: 'offer',
  });
  const rejected = await world.balcao.command(session, 'reject-call', {
    callId: 'C1',
    from: world.maria.number,
  });
  expect(rejected.status).toBe(200);
  await until(() => world.whatsapp.rejectedCalls.includes('C1'));
});

test('the same stanza twice is one message, acknowledged again', async () => {
  const { world, session, device } = shop;
  const { maria } = world;
  const bundle = () => device.bundle();
  const content = [await maria.encrypt(device.jid, { conversation: 'Só uma vez' }, bundle)];
  const attrs = { id: 'TWICE', from: maria.jid, t: '1795000000', type: 'text' };
  const node = { tag: 'message', attrs, content };
  await device.hand(node);
  await until(() => device.receipts.filter(({ id }) => id === 'TWICE').length === 1);
  await device.hand(node);
  await until(() => device.receipts.filter(({ id }) => id === 'TWICE').length === 2);
  expect(device.refusals.filter(({ id }) => id === 'TWICE')).toEqual([]);
  expect(session.texts.filter((text) => text === 'Só uma vez')).toHaveLength(1);
});
