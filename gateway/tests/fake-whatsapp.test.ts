import { proto } from 'baileys';
import { expect, test } from 'vitest';
import type { FakeConnection } from './fake/connection.js';
import { Device } from './fake/device.js';
import { FakeWhatsApp } from './fake/whatsapp.js';

const stanza = (id: string) => ({ tag: 'message', attrs: { id } });

/** A device, and what it is given by a connection that takes a turn of the loop for each stanza. */
function connected() {
  const owner = new FakeWhatsApp().person('5511900000001', 'Loja');
  const device = new Device(owner, 1, proto.ClientPayload.create({}), Buffer.alloc(32));
  const given: string[] = [];
  const send = ({ attrs }: ReturnType<typeof stanza>) => {
    given.push(attrs.id);
    return new Promise((resolve) => setImmediate(resolve));
  };
  return { device, given, connection: { isOpen: true, send } as unknown as FakeConnection };
}

test('what is written as a device comes back has its place behind what waited', async () => {
  const { device, given, connection } = connected();
  await device.hand(stanza('A'));
  await device.hand(stanza('B'));
  device.comeBy(connection);
  await device.hand(stanza('C'));
  const waited = device.handWaiting();
  await device.hand(stanza('D'));
  await waited;
  await device.hand(stanza('E'));
  expect(given).toEqual(['A', 'B', 'C', 'D', 'E']);
});
