import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession, useSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useOpensNext } from './api';

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

let asked: { path: string; body: unknown }[];
let answer: () => Promise<Response>;

beforeEach(() => {
  asked = [];
  openSession({ token: 'abc', user: makeUser() });
  vi.stubGlobal('fetch', (path: string, init?: { body?: string }) => {
    asked.push({ path, body: JSON.parse(init?.body ?? '{}') });
    return answer();
  });
});

const chosen = () => useSession.getState().user?.opensNext;

test('the choice is shown at once and kept by the server', async () => {
  answer = () => Promise.resolve(new Response(JSON.stringify(makeUser({ opensNext: false }))));
  const { result } = renderHook(useOpensNext, { wrapper });
  expect(result.current[0]).toBe(true);
  act(() => result.current[1]());
  await waitFor(() => expect(result.current[0]).toBe(false));
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]).toEqual({ path: '/api/auth/me', body: { opensNext: false } });
  expect(chosen()).toBe(false);
});

test('what the server does not take is as it was', async () => {
  let refuse: () => void = () => undefined;
  answer = () =>
    new Promise((_, reject) => {
      refuse = () => reject(new TypeError('offline'));
    });
  const { result } = renderHook(useOpensNext, { wrapper });
  act(() => result.current[1]());
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(chosen()).toBe(false);
  refuse();
  await waitFor(() => expect(chosen()).toBe(true));
});
