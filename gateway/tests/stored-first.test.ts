import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  proto,
} from 'baileys';
import type { BinaryNode } from 'baileys';
import { expect, test } from 'vitest';
import type { StoredSession } from './fake/balcao.js';
import { RealShop } from './fake/real-shop.js';
import { until } from './fake/world.js';
import type { World } from './fake/world.js';

/** The server takes so long to store a commit (ms). */
const SLOW_MS = 60;

/** What is below a node, itself included. */
function everyNode(node: BinaryNode): BinaryNode[] {
  return [node, ...getAllBinaryNodeChildren(node).flatMap(everyNode)];
}

/** Whether the stored state of a ratchet is past the message's place in its chain. */
function hasRatchet(stored: unknown, chain: string, counter: number): boolean {
  if (typeof stored !== 'object' || stored === null) return false;
  return Object.entries(stored).some(
    ([key, value]: [string, unknown]) =>
      (key === chain && (value as { chainKey: { counter: number } }).chainKey.counter >= counter) ||
      hasRatchet(value, chain, counter),
  );
}

/** The iterations of our own group keys, as the server has them. */
function iterations(session: StoredSession): number[] {
  return [...session.keys].flatMap(([name, value]) => {
    if (!name.startsWith('sender-key/') || typeof value !== 'object') return [];
    const text = Buffer.from((value as { data: string }).data, 'base64').toString();
    const states = JSON.parse(text) as { senderChainKey: { iteration: number } }[];
    return states.map(({ senderChainKey }) => senderChainKey.iteration);
  });
}

/** Watches what a session's device sends, and what of it the server does not have yet. */
function watched(world: World, session: StoredSession) {
  const early: string[] = [];
  const seen = { preKeys: 0, ratchets: 0, groupRatchets: 0, receipts: 0 };
  const expectKey = (node: BinaryNode, why: string) => {
    const id = Buffer.from(getBinaryNodeChild(node, 'id')?.content as Uint8Array).readUIntBE(0, 3);
    seen.preKeys += 1;
    if (!session.keys.has(`pre-key/${id}`)) early.push(`pre-key ${id} in ${why}`);
  };
  const expectRatchet = ({ attrs, content }: BinaryNode) => {
    // A version before, a check after the message.
    const bytes = content as Uint8Array;
    const whole = bytes.subarray(1);
    const inner = attrs.type === 'pkmsg' ? proto.PreKeySignalMessage.decode(whole).message : bytes;
    if (!inner) throw new Error('The ciphertext is empty.');
    if (attrs.type === 'skmsg') {
      const { iteration } = proto.SenderKeyMessage.decode(inner.subarray(1, -64));
      seen.groupRatchets += 1;
      if (!iterations(session).some((one) => one > (iteration ?? 0))) early.push('group ratchet');
      return;
    }
    const { ratchetKey, counter } = proto.SignalMessage.decode(inner.subarray(1, -8));
    const chain = Buffer.from(ratchetKey ?? []).toString('base64');
    const stored = [...session.keys].filter(([name]) => name.startsWith('session/'));
    seen.ratchets += 1;
    if (!hasRatchet(Object.fromEntries(stored), chain, counter ?? 0)) early.push('ratchet');
  };
  world.whatsapp.onFrame = (device, node) => {
    if (device.owner !== world.shop) return;
    for (const list of getBinaryNodeChildren(node, 'list')) {
      if (node.attrs.xmlns !== 'encrypt') continue;
      for (const key of getBinaryNodeChildren(list, 'key')) expectKey(key, 'upload');
    }
    const keys = getBinaryNodeChild(node, 'keys');
    const key = keys && getBinaryNodeChild(keys, 'key');
    if (key) expectKey(key, 'retry receipt');
    for (const enc of everyNode(node).filter(({ tag }) => tag === 'enc')) expectRatchet(enc);
    const { type = '', id } = node.attrs;
    if (node.tag !== 'receipt' || !['', 'inactive'].includes(type)) return;
    seen.receipts += 1;
    const isStored = session.of('message').some(({ externalId }) => externalId === id);
    if (!isStored) early.push(`receipt of ${id ?? ''}`);
  };
  return { early, seen };
}

test('keys and ratchets are stored before anything that needs them is sent', async () => {
  const slow = async () => {
    await delay(SLOW_MS);
    return 'answer' as const;
  };
  let watch: ReturnType<typeof watched> | undefined;
  const shop = await RealShop.begin(2, (world, session) => {
    world.balcao.onCommit = slow;
    watch = watched(world, session);
  });
  const { world, device, customers } = shop;
  const group = '120363000000000001@g.us';
  const members = [world.shop, ...customers.map(({ person }) => person)];
  world.whatsapp.groups.set(group, { subject: 'Turma', members });
  await shop.talk(40, 5);
  for (let n = 0; n < 5; n += 1) await shop.send(customers, `a todos ${n}`, group);
  await shop.allRead('stored first', Date.now());
  // The second retry receipt of a message has a pre-key.
  const { jid: from, lid } = customers[0]?.person ?? {};
  const attrs = { id: 'GARBAGE', from: from ?? '', sender_lid: lid ?? '', t: '1', type: 'text' };
  for (let count = 1; count <= 4; count += 1) {
    const enc = { tag: 'enc', attrs: { v: '2', type: 'msg' }, content: randomBytes(100) };
    await device.hand({ tag: 'message', attrs, content: [enc] });
    await until(() => device.receipts.filter(({ type }) => type === 'retry').length === count);
    await until(() => !device.waiting.has('GARBAGE'));
  }
  const { early, seen } = watch ?? {};
  process.stdout.write(`stored first: ${JSON.stringify({ ...seen, early: early?.length })}\n`);
  expect(early).toEqual([]);
  // 812 when it was linked, and one in each retry receipt after the first.
  expect(seen?.preKeys).toBeGreaterThanOrEqual(815);
  expect(seen?.ratchets).toBeGreaterThanOrEqual(40);
  expect(seen?.groupRatchets).toBe(5);
  expect(seen?.receipts).toBeGreaterThanOrEqual(40);
});
