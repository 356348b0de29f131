import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { StoredSession } from './fake/balcao.js';
import type { Device } from './fake/device.js';
import { until, World } from './fake/world.js';

const OUTAGE_MS = 60_000;
const PAUSE_MS = 2_000;

/** What one customer wrote to one of the shops. */
const said = (texts: string[], who: string) => texts.filter((text) => text.startsWith(`${who} `));

test(
  'a minute without the server: what came to each number waits, then is there in order and once',
  { timeout: 240_000 },
  async () => {
    const world = await World.begin();
    const { balcao, whatsapp, maria, shop } = world;
    // As in production: sessions are lost meanwhile, and claimed anew.
    balcao.leaseSeconds = 30;
    const owners = [
      shop,
      whatsapp.person('5511900000002', 'Filial'),
      whatsapp.person('5511900000003', 'Oficina'),
    ];
    const sessions = owners.map((_, place) => balcao.session(place + 1));
    world.gateway();
    const shops: { session: StoredSession; device: Device }[] = [];
    for (const [place, owner] of owners.entries()) {
      const session = sessions[place];
      if (session) shops.push({ session, device: await world.link(session, owner) });
    }
    const people = [maria, whatsapp.person('5511955554444', 'Rita')];
    const sent: string[] = [];
    const writeToAll = async () => {
      const turn = String(sent.length);
      sent.push(turn);
      for (const { device } of shops) {
        for (const person of people) {
          await whatsapp.write(person, device, { conversation: `${person.name} ${turn}` });
        }
      }
    };
    await writeToAll();
    for (const { session } of shops) await until(() => session.texts.length === people.length);

    balcao.isDown = true;
    const began = Date.now();
    while (Date.now() - began < OUTAGE_MS) {
      await writeToAll();
      await setTimeout(PAUSE_MS);
    }
    for (const { session, device } of shops) {
      expect(session.texts).toHaveLength(people.length);
      // Nothing that is not stored was told to have arrived.
      expect(device.waiting.size).toBe(people.length * (sent.length - 1));
    }
    balcao.isDown = false;

    for (const { session, device } of shops) {
      await until(() => session.texts.length >= people.length * sent.length);
      await until(() => device.waiting.size === 0);
      for (const { name } of people) {
        expect(said(session.texts, name)).toEqual(sent.map((turn) => `${name} ${turn}`));
      }
      expect(session.texts).toHaveLength(people.length * sent.length);
    }
    expect(whatsapp.errors).toEqual([]);
  },
);

test(
  'a minute without WhatsApp: all numbers are back within ten seconds of its return',
  { timeout: 240_000 },
  async () => {
    const world = await World.begin();
    const { balcao, whatsapp, shop } = world;
    const owners = [
      shop,
      whatsapp.person('5511900000002', 'Filial'),
      whatsapp.person('5511900000003', 'Oficina'),
    ];
    const sessions = owners.map((_, place) => balcao.session(place + 1));
    world.gateway();
    const devices: Device[] = [];
    for (const [place, owner] of owners.entries()) {
      const session = sessions[place];
      if (session) devices.push(await world.link(session, owner));
    }
    whatsapp.isDown = true;
    for (const { connection } of devices) connection?.cut();
    await until(() => sessions.every(({ statuses }) => statuses.at(-1) === 'OPENING'));
    await setTimeout(OUTAGE_MS);
    whatsapp.isDown = false;
    const back = Date.now();
    await until(() => devices.every(({ connection }) => connection?.isOpen));
    expect(Date.now() - back).toBeLessThan(10_000);
  },
);
