import type { proto } from 'baileys';
import { expect, test } from 'vitest';
import { receiptEvents } from '../src/receipts.js';
import { linked, until } from './fake/world.js';

const shop = linked();
let serial = 0;

async function answer(to: string, command = 'text', more: Record<string, unknown> = {}) {
  const { world, session } = shop;
  serial += 1;
  const id = `3EB0${String(serial).padStart(18, '0')}`;
  const body = { to, id, body: 'Olá', ...more };
  expect((await world.balcao.command(session, command, body)).status).toBe(200);
  return { id, taken: world.whatsapp.taken.find((one) => one.id === id) };
}

async function wrote(more: Parameters<typeof shop.world.whatsapp.write>[3]): Promise<string> {
  const { world, session, device } = shop;
  const id = await world.whatsapp.write(world.maria, device, { conversation: 'Oi' }, more);
  await until(() => session.of('message').some(({ externalId }) => externalId === id));
  await until(() => !device.waiting.has(id));
  return id;
}

function reactionIn(message: proto.IMessage | undefined) {
  return message?.reactionMessage?.key;
}

test('an answer goes by the address of the conversation’s last message', async () => {
  const { maria } = shop.world;
  expect((await answer(maria.number)).taken?.to).toBe(maria.jid);
  const id = await wrote({ byLid: true });
  const sent = await answer(maria.number);
  expect(sent.taken?.to).toBe(maria.lid);
  expect(maria.inbox.has(sent.id)).toBe(true);
  // A reaction and a receipt name the message as WhatsApp knows it.
  const message = { chat: maria.number, id, fromMe: false };
  const reaction = await answer(maria.number, 'react', { message, emoji: '👍' });
  expect(reactionIn(maria.inbox.get(reaction.id))).toMatchObject({ remoteJid: maria.lid, id });
  await wrote({});
  expect((await answer(maria.number)).taken?.to).toBe(maria.jid);
});

test('a member of a group that knows its members by LID is named by it', async () => {
  const { world } = shop;
  const { maria } = world;
  const group = '120363000000000031@g.us';
  world.whatsapp.groups.set(group, { subject: 'Turma', members: [world.shop, maria] });
  const id = await wrote({ group, byLid: true });
  const message = { chat: group, id, fromMe: false, participant: maria.number };
  const reaction = await answer(group, 'react', { message, emoji: '👍' });
  expect(reactionIn(maria.inbox.get(reaction.id))).toMatchObject({
    remoteJid: group,
    participant: maria.lid,
    id,
  });
});

test('what is told of somebody stands in one line, by whichever address it came', async () => {
  const { maria } = shop.world;
  const ids = [await wrote({ byLid: true }), await wrote({})];
  const messages = shop.session.events.filter(
    ({ kind, payload }) => kind === 'message' && ids.some((id) => id === payload.externalId),
  );
  expect(messages.map(({ partition }) => partition)).toEqual([maria.lid, maria.lid]);
  const read = (attrs: Record<string, string>) =>
    receiptEvents({ tag: 'receipt', attrs: { id: '3EB0', type: 'read', ...attrs } }, [])[0];
  expect(read({ from: maria.jid, sender_lid: maria.lid })?.partition).toBe(maria.lid);
  expect(read({ from: maria.lid })?.partition).toBe(maria.lid);
  expect(read({ from: maria.jid })?.partition).toBe(maria.jid);
  const group = { from: '120363000000000031@g.us', participant: maria.jid };
  expect(read(group)?.partition).toBe(group.from);
});
