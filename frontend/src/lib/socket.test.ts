import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeUser } from '@/test/user';

interface Heard {
  options: Record<string, unknown>;
  emitted: string[];
  answers: ((quietMs?: unknown) => void)[];
  handlers: Map<string, () => void>;
}
const heard = vi.hoisted((): Heard => ({
  options: {},
  emitted: [],
  answers: [],
  handlers: new Map(),
}));
vi.mock('socket.io-client', () => ({
  io: (options: Record<string, unknown>) => {
    heard.options = options;
    return {
      on: (event: string, handler: () => void) => heard.handlers.set(event, handler),
      onAny: () => undefined,
      emit: (event: string, ...rest: unknown[]) => {
        heard.emitted.push(event);
        const answer = rest.at(-1);
        if (typeof answer === 'function') heard.answers.push(answer as () => void);
      },
      removeAllListeners: () => undefined,
      disconnect: () => undefined,
    };
  },
}));

let openSocket: () => () => void;
let useStatusRoom: (status: string, onJoined: () => void) => void;

beforeEach(async () => {
  // The set-up of all tests has read the module with the real library.
  vi.resetModules();
  ({ openSocket, useStatusRoom } = await import('./socket'));
  const { openSession } = await import('@/stores/session');
  openSession({ token: 'abc', user: makeUser() });
  heard.emitted = [];
  heard.answers = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test('a websocket is tried first, and who connects is named', () => {
  openSocket()();
  expect(heard.options.transports).toEqual(['websocket', 'polling']);
  expect(heard.options.query).toEqual({ companyId: '2', userId: '7' });
});

test('a sign of life goes out at the start and every five minutes', () => {
  const close = openSocket();
  heard.handlers.get('connect')?.();
  expect(heard.emitted).toEqual(['userStatus']);
  vi.advanceTimersByTime(299_999);
  expect(heard.emitted).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(heard.emitted).toEqual(['userStatus', 'userStatus']);
  vi.advanceTimersByTime(300_000);
  expect(heard.emitted).toHaveLength(3);
  close();
  vi.advanceTimersByTime(300_000);
  expect(heard.emitted).toHaveLength(3);
});

test('who joins a room fetches again, unless nothing happened there since the page began', () => {
  const onJoined = vi.fn();
  renderHook(() => useStatusRoom('open', onJoined));
  const close = openSocket();
  heard.handlers.get('connect')?.();
  const [joined] = heard.answers;
  const age = performance.now();
  joined?.(age + 1000);
  expect(onJoined).not.toHaveBeenCalled();
  joined?.(Math.max(0, age - 1000));
  expect(onJoined).toHaveBeenCalledTimes(1);
  // An older server says nothing of it.
  joined?.();
  expect(onJoined).toHaveBeenCalledTimes(2);
  close();
});
