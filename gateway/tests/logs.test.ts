import { expect, test } from 'vitest';
import type { Json } from '../src/contract.js';
import { until, World } from './fake/world.js';

/** Every run of bytes and every long text in it. */
function secrets(value: Json | undefined): string[] {
  if (typeof value === 'string') return value.length >= 16 ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((part) => secrets(part));
}

test('no key, number or text stands in what the gateway prints', async () => {
  const world = await World.begin();
  const { balcao, whatsapp, maria } = world;
  const session = balcao.session(7);
  const gateway = world.gateway();
  const device = await world.link(session);
  await whatsapp.write(maria, device, { conversation: 'um segredo meu' });
  const body = { to: maria.number, id: '3EB0AAAAAAAAAAAAAAAAAA', body: 'um segredo nosso' };
  await balcao.command(session, 'text', body);
  // What the signal library has most to say about: a message that nobody can read.
  const enc = { tag: 'enc', attrs: { v: '2', type: 'msg' }, content: Buffer.alloc(80, 3) };
  const attrs = { id: 'GARBAGE', from: maria.jid, t: '1795000000', type: 'text' };
  await device.hand({ tag: 'message', attrs, content: [enc] });
  await until(() => device.waiting.size === 0);
  expect(await gateway.stop()).toBe(0);
  const lines = gateway.output.trim().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event');
  const kept = secrets([session.credentials, ...session.keys.values()]);
  expect(kept.length).toBeGreaterThan(100);
  for (const secret of kept) {
    expect(gateway.output).not.toContain(secret);
    const hex = Buffer.from(secret, 'base64').toString('hex');
    if (hex) expect(gateway.output).not.toContain(hex);
  }
  for (const word of ['segredo', maria.number, world.shop.number, 'Buffer', 'privKey']) {
    expect(gateway.output).not.toContain(word);
  }
});
