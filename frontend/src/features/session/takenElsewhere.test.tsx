import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '@/lib/api/types';
import { toaster } from '@/lib/toast';
import { closeSession, openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useSessionEvents } from './events';

type Told = LiveEvent<'auth'>;
const handlers = vi.hoisted(() => new Map<string, (event: never) => void>());
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (name: string, handler: (event: never) => void) => handlers.set(name, handler),
}));

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('where a refused call led to the login page first, the storage is cleared without a reload', () => {
  vi.useFakeTimers();
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  openSession({ token: 'abc', user: makeUser() });
  localStorage.setItem('volume', '0.5');
  renderHook(() => useSessionEvents());
  const event: Told = { action: 'update', user: { id: 7, tokenVersion: 4 }, tokenVersion: 4 };
  act(() => handlers.get('auth')?.(event as never));
  act(() => closeSession());
  vi.advanceTimersByTime(1000);
  expect(Object.keys(localStorage)).toEqual([]);
  expect(reload).not.toHaveBeenCalled();
});

test('a login elsewhere is said, and a second later the storage is cleared and the page reloads', () => {
  vi.useFakeTimers();
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  const told = vi.spyOn(toaster, 'create');
  openSession({ token: 'abc', user: makeUser() });
  localStorage.setItem('volume', '0.5');
  renderHook(() => useSessionEvents());
  const event: Told = { action: 'update', user: { id: 7, tokenVersion: 4 }, tokenVersion: 4 };
  act(() => handlers.get('auth')?.(event as never));
  expect(told.mock.lastCall?.[0].title).toBe('Sua conta foi acessada em outro computador.');
  vi.advanceTimersByTime(999);
  expect(reload).not.toHaveBeenCalled();
  expect(localStorage.getItem('token')).toBe('abc');
  vi.advanceTimersByTime(1);
  expect(reload).toHaveBeenCalledOnce();
  expect(Object.keys(localStorage)).toEqual([]);
});
