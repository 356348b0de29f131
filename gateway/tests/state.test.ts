import { setTimeout as delay } from 'node:timers/promises';
import type { WAMessage } from 'baileys';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Addresses } from '../src/addresses.js';
import { CommitQueue } from '../src/commits.js';
import type { GatewayEvent } from '../src/contract.js';
import { History } from '../src/history.js';
import { KeyStore } from '../src/key-store.js';
import { Messages } from '../src/messages.js';
import { ServerClient } from '../src/server-client.js';
import { Unfinished } from '../src/unfinished.js';
import { Unreadable } from '../src/unreadable.js';
import { FakeBalcao, SECRET } from './fake/balcao.js';
import type { StoredSession } from './fake/balcao.js';
import { until } from './fake/world.js';

interface State {
  balcao: FakeBalcao;
  session: StoredSession;
  commits: CommitQueue;
  lost: string[];
  store: (mostBytes?: number) => KeyStore;
}

/** What one session writes with, and the server that it writes to. */
async function state(): Promise<State> {
  const balcao = new FakeBalcao();
  await balcao.start();
  onTestFinished(() => balcao.stop());
  const session = balcao.session(7);
  const server = new ServerClient(balcao.url, SECRET);
  const lost: string[] = [];
  const commits = new CommitQueue(server, 7, 0, ({ code }) => lost.push(code));
  const store = (mostBytes?: number) => new KeyStore(commits, mostBytes);
  return { balcao, session, commits, lost, store };
}

function message(id: string, body = id): GatewayEvent {
  const payload = {
    externalId: id,
    chat: { number: '5511988887777', lid: '', group: '' },
    sender: { number: '5511988887777', lid: '', name: 'Maria' },
    fromMe: false,
    sentAt: 1790000000,
    type: 'conversation',
    body,
    isHistory: false,
    raw: { key: { id } },
  };
  return { id: `m:${id}`, kind: 'message', partition: 'maria', at: 1, payload };
}

test('more people at once than one call takes are all stored', async () => {
  const { balcao, session, commits, lost, store } = await state();
  const mapping: Record<string, string> = {};
  for (let number = 0; number < 1500; number += 1) {
    mapping[`55119${number}`] = `9${number}`;
    mapping[`9${number}_reverse`] = `55119${number}`;
  }
  store().set({ 'lid-mapping': mapping });
  await commits.settled();
  expect(session.of('identity')).toHaveLength(1500);
  expect(session.keys.size).toBe(3000);
  expect({ lost, refused: balcao.refused }).toEqual({ lost: [], refused: [] });
  const read = await store().read('lid-mapping', Object.keys(mapping));
  expect(Object.keys(read)).toHaveLength(3000);
  expect({ lost, refused: balcao.refused }).toEqual({ lost: [], refused: [] });
});

test('large events go by themselves: no call is larger than the server takes', async () => {
  const { balcao, session, commits } = await state();
  // Three bytes of a call for each of their characters.
  const body = '漢'.repeat(400_000);
  await commits.append({ events: Array.from({ length: 8 }, (_, at) => message(`L${at}`, body)) });
  expect(session.texts).toHaveLength(8);
  expect(balcao.refused).toEqual([]);
});

test('half a character is stored as one that stands for it', async () => {
  const { balcao, session, commits } = await state();
  await commits.append({ events: [message('A', 'Olá \ud800 mundo 😀')] });
  expect(session.texts).toEqual(['Olá \ufffd mundo 😀']);
  expect(balcao.refused).toEqual([]);
});

test('what the server never takes is stored as unknown, and the rest as it is', async () => {
  const { balcao, session, commits, lost } = await state();
  balcao.onCommit = ({ events }) =>
    Promise.resolve(JSON.stringify(events).includes('veneno') ? 'refused' : 'answer');
  const keys = { session: { 'maria.0': 'ratchet' } };
  await Promise.all([
    commits.append({ events: [message('A')] }),
    commits.append({ keys, events: [message('B', 'veneno')] }),
    commits.append({ events: [message('C')] }),
  ]);
  expect(session.texts).toEqual(['A', 'unknown', 'C']);
  expect(session.of('message')[1]).toMatchObject({
    externalId: 'B',
    type: 'unknown',
    fromMe: false,
  });
  expect(session.keys.get('session/maria.0')).toBe('ratchet');
  expect(lost).toEqual([]);
});

test('a fact that the server never takes is left out, and its keys are stored', async () => {
  const { balcao, session, commits, lost } = await state();
  balcao.onCommit = ({ events }) => Promise.resolve(events ? 'refused' : 'answer');
  const keys = { session: { 'maria.0': 'ratchet' } };
  const events: GatewayEvent[] = [
    { id: 'g', kind: 'group', partition: 'g', at: 1, payload: { group: 'g', subject: 'veneno' } },
  ];
  await commits.append({ keys, events });
  expect(session.events).toEqual([]);
  expect(session.keys.get('session/maria.0')).toBe('ratchet');
  expect(lost).toEqual([]);
});

test('keys that the server does not take end the session: nothing may build upon them', async () => {
  const { balcao, commits, lost } = await state();
  balcao.onCommit = () => Promise.resolve('refused');
  await expect(commits.append({ keys: { session: { 'maria.0': 'x' } } })).rejects.toThrow();
  expect(lost).toEqual(['ERR_GATEWAY_BODY']);
});

test('an answer that comes after the end counts for nothing', async () => {
  const { balcao, session, commits, lost } = await state();
  let answer: (() => void) | undefined;
  balcao.onCommit = async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return 'answer';
  };
  const first = commits.append({ events: [message('A')] });
  const release = await until(() => answer);
  const second = commits.append({ events: [message('B')] });
  commits.close();
  release();
  await expect(first).rejects.toThrow('dropped');
  await expect(second).rejects.toThrow('dropped');
  await expect(commits.append({ events: [message('C')] })).rejects.toThrow('dropped');
  expect(session.texts).toEqual(['A']);
  expect(lost).toEqual([]);
});

test('what a timer writes after its transaction is stored, once what it waits for is', async () => {
  const { session, commits, store } = await state();
  const keys = store();
  let isBusy = true;
  const unfinished = new Unfinished(keys, () => isBusy, 5);
  await keys.transaction(async () => {
    const message = {
      key: { remoteJid: '5511900000001@s.whatsapp.net', fromMe: true, id: 'ORDER' },
    };
    keys.write(await unfinished.keeping(message));
  }, 'maria');
  await commits.settled();
  expect(session.keys.get('unfinished/index')).toEqual(['ORDER']);
  // What it brought is not stored yet, however long that takes.
  await delay(50);
  expect(session.keys.has('unfinished/ORDER')).toBe(true);
  isBusy = false;
  await until(() => !session.keys.has('unfinished/ORDER'));
  expect(session.keys.get('unfinished/index')).toEqual([]);
});

test('no more is kept than may be, what was used last before others, and all can be read', async () => {
  const { balcao, session, commits, store } = await state();
  const keys = store(4000);
  const value = 'x'.repeat(90);
  for (let number = 0; number < 100; number += 1) {
    keys.write({ session: { [`${number}`]: value } });
    await commits.settled();
    expect(await keys.read('session', ['0'])).toEqual({ 0: value });
  }
  await until(() => keys.size <= 4000);
  expect(keys.size).toBeGreaterThan(3000);
  // The first was used all the time and is still here, the second is asked for again.
  balcao.isDown = true;
  expect(await keys.read('session', ['0', '99'])).toEqual({ 0: value, 99: value });
  balcao.isDown = false;
  session.keys.set('session/1', 'as stored');
  expect(await keys.read('session', ['1'])).toEqual({ 1: 'as stored' });
});

test('what is not stored yet is never forgotten', async () => {
  const { balcao, session, commits, store } = await state();
  const keys = store(500);
  balcao.isDown = true;
  for (let number = 0; number < 50; number += 1) {
    keys.write({ session: { [`${number}`]: `value ${number}` } });
  }
  for (let number = 0; number < 50; number += 1) {
    expect(await keys.read('session', [`${number}`])).toEqual({ [number]: `value ${number}` });
  }
  balcao.isDown = false;
  await commits.settled();
  await until(() => keys.size <= 500);
  expect(session.keys.size).toBe(50);
});

test.each([
  ['known', 'asked'],
  ['asked', 'known'],
])('what is written while another is asked for is read: %s, then %s', async (...ids) => {
  const { balcao, session, commits, store } = await state();
  for (const id of ids) session.keys.set(`session/${id}`, 'old');
  // One of them fits.
  const keys = store(25);
  await keys.read('session', ['known']);
  balcao.onRead = async () => {
    for (const id of ids) keys.write({ session: { [id]: 'new' } });
    await commits.settled();
  };
  const read = await keys.read('session', ['known', 'asked']);
  expect(read).toEqual({ known: 'new', asked: 'new' });
});

test('keys that were forgotten are written no more', async () => {
  const { session, commits, store } = await state();
  const keys = store();
  keys.close();
  keys.write({ session: { 'maria.0': 'of the device before' } });
  await commits.settled();
  expect(session.keys.size).toBe(0);
});

const STATE = { credentials: { of: 'the device before' }, keys: { session: { 'maria.0': 'old' } } };

test('state that waits for the server is not written after a wipe, its events are', async () => {
  const { balcao, session, commits, lost } = await state();
  balcao.isDown = true;
  void commits.append({ ...STATE, events: [message('A')] });
  await delay(50);
  void commits.append({ ...STATE, events: [message('B')] });
  void commits.append(STATE);
  await commits.forgetState();
  balcao.isDown = false;
  await commits.wipe();
  await commits.settled();
  expect(session.texts).toEqual(['A', 'B']);
  expect(session.credentials).toBeNull();
  expect(session.keys.size).toBe(0);
  // What the next device has is stored.
  await commits.append({ keys: { session: { 'maria.0': 'new' } } });
  expect(session.keys.get('session/maria.0')).toBe('new');
  expect(lost).toEqual([]);
});

test('each write of state has the next number, and each try of it the same', async () => {
  const { balcao, session, commits } = await state();
  let isLost = true;
  balcao.onCommit = () => {
    const outcome = isLost ? 'silent' : 'answer';
    isLost = false;
    return Promise.resolve(outcome);
  };
  await commits.append(STATE);
  await commits.append({ events: [message('A')] });
  await commits.append(STATE);
  await commits.forgetState();
  await commits.wipe();
  expect(session.writes).toEqual([1, 1, 2, 3]);
});

test('state that the server is writing is there before the wipe is asked for', async () => {
  const { balcao, session, commits } = await state();
  let answer: (() => void) | undefined;
  balcao.onCommit = async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return 'answer';
  };
  void commits.append({ ...STATE, events: [message('A')] });
  const release = await until(() => answer);
  const wiped = commits.forgetState().then(() => commits.wipe());
  await delay(50);
  release();
  await wiped;
  await commits.settled();
  expect(session.texts).toEqual(['A']);
  expect(session.credentials).toBeNull();
  expect(session.keys.size).toBe(0);
});

test('a past that could not be told is not done: the next connection is given it', async () => {
  const { commits, store } = await state();
  const keys = store();
  const messages = new Messages(
    keys,
    new Unfinished(keys, () => false),
    new Addresses(() => keys),
    () => ({ id: '5511900000001@s.whatsapp.net' }),
    60_000,
  );
  messages.event = () => Promise.reject(new TypeError('odd'));
  const settings = () => ({ syncHistory: true }) as StoredSession['settings'];
  const history = new History(messages, commits, settings, () => 'fact');
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  await history.all({ messages: [LATER], contacts: [], chats: [], syncType: null });
  await until(() => lines.some((line) => line.includes('history failed')));
  await delay(20);
  expect(history.isBusy).toBe(true);
});

const LATER = {
  key: { remoteJid: '5511988887777@s.whatsapp.net', fromMe: false, id: 'LATER' },
  pushName: 'Maria',
  messageTimestamp: 1790000000,
};

test('a message that nobody could read for a while is told once', async () => {
  const { session, commits, store } = await state();
  const keys = store();
  const told = () => Promise.resolve(message('LATER', 'unknown'));
  const unreadable = new Unreadable(keys, told, 20);
  unreadable.hold(LATER);
  unreadable.hold(LATER);
  await until(() => session.texts.length === 1);
  await commits.settled();
  // The message itself may still come: it is not the same event, nor the same message.
  expect(session.events[0]).toMatchObject({
    id: 'm:LATER:unread',
    payload: { externalId: 'LATER-unread' },
  });
  expect(session.keys.size).toBe(0);
});

test('the next owner tells it, unless it can be read by then', async () => {
  const { session, commits, store } = await state();
  const told = () => Promise.resolve(message('LATER', 'unknown'));
  new Unreadable(store(), told, 60_000).hold(LATER);
  await commits.settled();
  expect(session.keys.size).toBe(1);
  const keys = store();
  const reading = new Unreadable(keys, told, 60_000);
  await reading.resume();
  keys.write(reading.releasing('LATER'));
  await commits.settled();
  expect(session.keys.size).toBe(0);
  new Unreadable(store(), told, 60_000).hold(LATER);
  await commits.settled();
  await new Unreadable(store(), told, 20).resume();
  await until(() => session.texts.length === 1);
});

/** What Baileys gives of a message of Maria's. */
function given(id: string): WAMessage {
  return { ...LATER, key: { ...LATER.key, id } };
}

function toldAs({ key }: WAMessage): Promise<GatewayEvent> {
  return Promise.resolve(message(key.id ?? '', 'unknown'));
}

function idsOf(session: StoredSession): unknown[] {
  return session.of('message').map(({ externalId }) => externalId);
}

test('a connection that was closed tells and keeps nothing: the next one does', async () => {
  const { session, commits, store } = await state();
  const keys = store();
  const closed = new Unreadable(keys, toldAs, 20);
  closed.hold(LATER);
  closed.close();
  closed.hold(given('GIVEN-AGAIN'));
  const next = new Unreadable(keys, toldAs, 20);
  await next.resume();
  keys.write(next.releasing('LATER'));
  next.hold(given('NEVER'));
  await until(() => session.texts.length > 0);
  await commits.settled();
  expect(idsOf(session)).toEqual(['NEVER-unread']);
  expect(session.keys.size).toBe(0);
});

test('of two that fall on one slot the first is told at once, and the second kept', async () => {
  const { session, commits, store } = await state();
  const unreadable = new Unreadable(store(), toldAs, 60_000);
  // More than there are slots.
  const ids = Array.from({ length: 100 }, (_, number) => `M${number}`);
  for (const id of ids) unreadable.hold(given(id));
  await until(() => session.texts.length > 0);
  await commits.settled();
  const kept = [...session.keys.values()].map((value) => (value as unknown as WAMessage).key.id);
  const all = [...kept.map((id) => `${id ?? ''}-unread`), ...idsOf(session)];
  expect(all.sort()).toEqual(ids.map((id) => `${id}-unread`).sort());
});

test('one that cannot be told leaves nothing unhandled', async () => {
  const { session, commits, store } = await state();
  const unhandled: unknown[] = [];
  const hear = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const unreadable = new Unreadable(store(), () => Promise.reject(new Error('gone')), 60_000);
  for (let number = 0; number < 100; number += 1) unreadable.hold(given(`M${number}`));
  await commits.settled();
  expect(session.keys.size).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});

test('what could be read while it was asked what an earlier owner kept is not told', async () => {
  const { balcao, session, commits, store } = await state();
  const earlier = new Unreadable(store(), toldAs, 60_000);
  earlier.hold(LATER);
  await commits.settled();
  const keys = store();
  const next = new Unreadable(keys, toldAs, 20);
  balcao.onRead = () => {
    keys.write(next.releasing('LATER'));
    return Promise.resolve();
  };
  await next.resume();
  await commits.settled();
  expect(session.keys.size).toBe(0);
  next.hold(given('NEVER'));
  await until(() => session.texts.length > 0);
  expect(idsOf(session)).toEqual(['NEVER-unread']);
});

test('one that comes by another way is stored in the write that keeps it no more', async () => {
  const { balcao, session, commits, store } = await state();
  const keys = store();
  const messages = new Messages(
    keys,
    new Unfinished(keys, () => false),
    new Addresses(() => keys),
    () => ({ id: '5511900000001@s.whatsapp.net' }),
    60_000,
  );
  const settings = () => session.settings;
  const history = new History(messages, commits, settings, () => 'fact');
  messages.unreadable.hold(LATER);
  await commits.settled();
  expect(session.keys.size).toBe(1);
  const writes: [string[], unknown[]][] = [];
  balcao.onCommit = ({ keys: changed, events }) => {
    const names = Object.keys(changed?.unreadable ?? {});
    writes.push([names, (events ?? []).map(({ payload }) => payload.externalId)]);
    return Promise.resolve('answer');
  };
  const content = { message: { conversation: 'De novo' } };
  await history.messages([
    { ...LATER, ...content },
    { ...given('OTHER'), ...content },
  ]);
  await commits.settled();
  const [releasing] = writes.filter(([names]) => names.length > 0);
  expect(releasing?.[1]).toContain('LATER');
  expect(idsOf(session)).toEqual(['LATER', 'OTHER']);
  expect([...session.keys.keys()].filter((name) => name.startsWith('unreadable/'))).toEqual([]);
});
