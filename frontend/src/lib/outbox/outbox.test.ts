import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, networkError } from '@/lib/api/errors';
import { useConnection } from '@/stores/connection';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { createOutbox } from './outbox';
import { writeUnsent } from './storage';
import { makeUnsent } from './testData';

interface Note {
  place: number;
  text: string;
}

/** The texts that reached the server, in order. */
const taken: string[] = [];
const attempts: string[] = [];
let refusal: ((text: string) => Error | null) | null;

const begin = (name: string) =>
  createOutbox<Note>({
    name,
    placeOf: ({ place }) => place,
    post: ({ text }) => {
      attempts.push(text);
      const error = refusal?.(text);
      if (error) return Promise.reject(error);
      taken.push(text);
      return Promise.resolve();
    },
  });

const signIn = (id = 7) => openSession({ token: 'token', user: { ...makeUser(), id } });
const isOffline = () => networkError();

beforeEach(() => {
  taken.length = 0;
  attempts.length = 0;
  refusal = null;
  signIn();
});
afterEach(() => {
  closeSession();
  vi.useRealTimers();
});

const states = ({ useItems }: ReturnType<typeof begin>) =>
  useItems.getState().items.map(({ state, waits }) => (waits ? `waits ${state}` : state));

test('what was written without a connection leaves in order when it is back, each once', async () => {
  const outbox = begin('back');
  refusal = isOffline;
  for (const text of ['um', 'dois', 'três']) outbox.add({ place: 1, text }, null, null);
  outbox.add({ place: 2, text: 'outra' }, null, null);
  await waitFor(() =>
    expect(states(outbox)).toEqual(['waits queued', 'queued', 'queued', 'waits queued']),
  );
  expect(taken).toEqual([]);
  refusal = null;
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(states(outbox)).toEqual([]));
  expect(taken.filter((text) => text !== 'outra')).toEqual(['um', 'dois', 'três']);
  expect(taken).toHaveLength(4);
});

test('without any event it tries again by itself, more and more seldom', async () => {
  vi.useFakeTimers();
  const outbox = begin('alone');
  refusal = isOffline;
  outbox.add({ place: 1, text: 'oi' }, null, null);
  await vi.advanceTimersByTimeAsync(100);
  expect(attempts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(attempts).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(attempts).toHaveLength(2);
  refusal = null;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(taken).toEqual(['oi']);
  expect(states(outbox)).toEqual([]);
});

test('the live channel that is back sends at once', async () => {
  const outbox = begin('channel');
  useConnection.setState({ state: 'lost' });
  refusal = isOffline;
  outbox.add({ place: 1, text: 'oi' }, null, null);
  await waitFor(() => expect(states(outbox)).toEqual(['waits queued']));
  refusal = null;
  useConnection.setState({ state: 'connected' });
  await waitFor(() => expect(taken).toEqual(['oi']));
});

test('a refusal is told and not repeated; what follows it goes on', async () => {
  const outbox = begin('refused');
  refusal = (text) => (text === 'um' ? new ApiError(409, 'ERR_TICKET_NOT_OPEN', '') : null);
  outbox.add({ place: 1, text: 'um' }, null, null);
  outbox.add({ place: 1, text: 'dois' }, null, null);
  await waitFor(() => expect(states(outbox)).toEqual(['failed']));
  expect(taken).toEqual(['dois']);
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(states(outbox)).toEqual(['failed']));
  expect(attempts).toEqual(['um', 'dois']);
  const [item] = outbox.useItems.getState().items;
  expect(item).toMatchObject({ code: 'ERR_TICKET_NOT_OPEN' });
  expect(item?.reason).not.toBe('');
  refusal = null;
  outbox.resend(item?.clientId ?? '');
  await waitFor(() => expect(taken).toEqual(['dois', 'um']));
});

test.each([429, 503])('an answer of %i is no refusal', async (status) => {
  const outbox = begin(`passing${status}`);
  refusal = () => new ApiError(status, '', '');
  outbox.add({ place: 1, text: 'oi' }, null, null);
  await waitFor(() => expect(states(outbox)).toEqual(['waits queued']));
  refusal = null;
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(taken).toEqual(['oi']));
});

test('a reload finds what waited, in its order, and sends it with the same ids', async () => {
  const before = begin('reload');
  refusal = isOffline;
  before.add({ place: 1, text: 'um' }, null, null);
  before.add({ place: 1, text: 'dois' }, null, null);
  await waitFor(() => expect(states(before)).toEqual(['waits queued', 'queued']));
  const ids = before.useItems.getState().items.map(({ clientId }) => clientId);
  const after = begin('reload');
  await waitFor(() => expect(states(after)).toHaveLength(2));
  expect(after.useItems.getState().items.map(({ clientId }) => clientId)).toEqual(ids);
  refusal = null;
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect([...states(after), ...states(before)]).toEqual([]));
});

test('another person of this browser neither sees nor sends it', async () => {
  const outbox = begin('people');
  refusal = isOffline;
  outbox.add({ place: 1, text: 'de Camila' }, null, null);
  await waitFor(() => expect(states(outbox)).toEqual(['waits queued']));
  closeSession();
  refusal = null;
  signIn(8);
  window.dispatchEvent(new Event('online'));
  outbox.add({ place: 1, text: 'de Rafael' }, null, null);
  await waitFor(() => expect(taken).toEqual(['de Rafael']));
  closeSession();
  signIn(7);
  await waitFor(() => expect(taken).toEqual(['de Rafael', 'de Camila']));
});

test('what waited for more than a day is left to the user', async () => {
  const now = Date.now();
  const createdAt = new Date(now - 90_000_000).toISOString();
  writeUnsent(
    'old',
    makeUnsent({ place: 1, text: 'bom dia', createdAt, askedAt: now - 90_000_000 }),
  );
  const outbox = begin('old');
  await waitFor(() => expect(states(outbox)).toEqual(['failed']));
  expect(attempts).toEqual([]);
  outbox.resend('meu-envio');
  await waitFor(() => expect(taken).toEqual(['bom dia']));
});

test('a message beyond a hundred, or in a full storage, says that a reload loses it', async () => {
  const outbox = begin('full');
  refusal = isOffline;
  for (let count = 0; count < 101; count += 1)
    outbox.add({ place: 1, text: `${count}` }, null, null);
  const kept = outbox.useItems.getState().items.map(({ isKept }) => isKept);
  expect(kept.filter(Boolean)).toHaveLength(100);
  expect(kept.at(-1)).toBe(false);
  await waitFor(() => expect(states(outbox)[0]).toBe('waits queued'));
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBe(true);
});

test('what waits for the server has not been taken', async () => {
  const outbox = begin('taken');
  refusal = isOffline;
  outbox.add({ place: 1, text: 'oi' }, null, null);
  expect(await outbox.whenTaken(1)).toBe(false);
});

test('a discarded message is gone from the storage as well', async () => {
  const outbox = begin('discarded');
  refusal = isOffline;
  outbox.add({ place: 1, text: 'oi' }, null, null);
  await waitFor(() => expect(states(outbox)).toEqual(['waits queued']));
  outbox.remove(outbox.useItems.getState().items[0]?.clientId ?? '');
  refusal = null;
  const again = begin('discarded');
  window.dispatchEvent(new Event('online'));
  await again.whenTaken(1);
  expect(taken).toEqual([]);
});
