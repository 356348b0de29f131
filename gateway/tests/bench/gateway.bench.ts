import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredSession } from '../fake/balcao.js';
import type { Device } from '../fake/device.js';
import { until, World } from '../fake/world.js';
import type { GatewayProcess } from '../fake/world.js';

const SESSIONS = Math.max(1, Math.floor(100 / Number(process.env.BENCH_SHRINK ?? 1)));
const MESSAGES = Math.max(20, Math.floor(1000 / Number(process.env.BENCH_SHRINK ?? 1)));
/** What is idle has let go of what its start took. */
const SETTLE_MS = 8_000;
/** So many commands at once, as a busy worker has under way. */
const SENDERS = 8;
const LEASE_SECONDS = 30;

const world = new World();
const sessions: StoredSession[] = [];
const devices: Device[] = [];

/** Tell one figure: a line of JSON for whoever asked for it, and one to read. */
function tell(name: string, value: number, unit: string): void {
  console.log(`${name}: ${value.toFixed(1)} ${unit}`);
  const { BENCH_FIGURES: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify({ name, value, unit })}\n`);
}

/** A process's own share of memory. */
function megabytes({ process: { pid } }: GatewayProcess): number {
  const rollup = readFileSync(`/proc/${pid ?? 0}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Wait until so many sessions are open at a gateway that was just started. */
async function opened(count: number, before: ReadonlyMap<number, number>): Promise<void> {
  const isOpen = (session: StoredSession) =>
    session.statuses.length > (before.get(session.id) ?? 0) &&
    session.statuses.at(-1) === 'CONNECTED';
  await until(() => sessions.filter(isOpen).length >= count, 90_000);
}

function told(): Map<number, number> {
  return new Map(sessions.map(({ id, statuses }) => [id, statuses.length]));
}

beforeAll(async () => {
  await Promise.all([world.balcao.start(), world.whatsapp.start()]);
  world.balcao.leaseSeconds = LEASE_SECONDS;
  const gateway = world.gateway('first');
  for (let id = 1; id <= SESSIONS; id += 1) {
    const session = world.balcao.session(id);
    sessions.push(session);
    if (id > 1) await world.balcao.want(session);
    devices.push(await world.link(session));
  }
  await gateway.stop();
});

afterAll(() => world.end());

test('memory of idle sessions', async () => {
  for (const count of new Set([0, 1, 20, 100].map((each) => Math.min(each, SESSIONS)))) {
    const before = told();
    const gateway = world.gateway('idle', { GATEWAY_MAX_SESSIONS: String(count) });
    await until(() => gateway.output.includes('gateway started'));
    await opened(count, before);
    await delay(SETTLE_MS);
    tell(`gateway, idle memory with ${count} sessions`, megabytes(gateway), 'MB');
    await gateway.stop();
  }
});

test('messages through one session', async () => {
  const { balcao, whatsapp, maria } = world;
  const [session, device] = [sessions[0], devices[0]];
  if (!session || !device) throw new Error('Nothing is linked.');
  const before = told();
  const gateway = world.gateway('busy', { GATEWAY_MAX_SESSIONS: '1' });
  await opened(1, before);
  // The first of a conversation makes its keys.
  await whatsapp.write(maria, device, { conversation: 'Oi' });
  await until(() => session.texts.includes('Oi'));
  const nodes = [];
  for (let each = 0; each < MESSAGES; each += 1) {
    const bundle = () => device.bundle();
    const enc = await maria.encrypt(device.jid, { conversation: `Olá ${each}` }, bundle);
    const attrs = { id: `IN-${each}`, from: maria.jid, sender_lid: maria.lid, type: 'text' };
    const t = String(Math.floor(Date.now() / 1000));
    nodes.push({ tag: 'message', attrs: { ...attrs, t, notify: maria.name }, content: [enc] });
  }
  const came = performance.now();
  for (const node of nodes) await device.hand(node);
  await until(() => device.waiting.size === 0, 100_000);
  tell(
    'gateway, messages in through one session',
    (MESSAGES / (performance.now() - came)) * 1000,
    'per s',
  );
  expect(session.texts.filter((text) => text.startsWith('Olá'))).toHaveLength(MESSAGES);

  const left = performance.now();
  let next = 0;
  const sender = async () => {
    while (next < MESSAGES) {
      next += 1;
      const id = `3EB0${String(next).padStart(16, '0')}`;
      const answer = await balcao.command(session, 'text', { to: maria.number, id, body: 'Olá' });
      expect(answer.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  tell(
    'gateway, messages out through one session',
    (MESSAGES / (performance.now() - left)) * 1000,
    'per s',
  );
  expect(maria.inbox.size).toBe(MESSAGES);
  await gateway.stop();
});

test('taking over after the owner was killed', async () => {
  const room = { GATEWAY_MAX_SESSIONS: '20' };
  const mine = sessions.slice(0, 20);
  for (const session of sessions.slice(20)) session.isWanted = false;
  const first = told();
  const owner = world.gateway('owner', room);
  await opened(mine.length, first);
  const other = world.gateway('other', room);
  await until(() => other.output.includes('gateway started'));
  const before = told();
  const killed = performance.now();
  await owner.kill();
  await opened(mine.length, before);
  tell(
    `gateway, ${mine.length} sessions open again after kill -9`,
    (performance.now() - killed) / 1000,
    's',
  );
});
