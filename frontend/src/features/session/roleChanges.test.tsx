import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { openSession, useSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useSessionEvents } from './events';

type Listener = (event: { action: string; record?: { key: string } }) => void;
const listeners: Record<string, Listener> = {};

vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (name: string, listener: Listener) => {
    listeners[name] = listener;
  },
}));

const changed = { token: 'def', user: makeUser({ role: '4', granted: ['tickets:take'] }) };
let asked: string[];

beforeEach(() => {
  asked = [];
  openSession({ token: 'abc', user: makeUser({ role: '4', granted: [] }) });
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json(changed));
  });
  renderHook(useSessionEvents);
});

test('a change of the own role is in the session at once', async () => {
  act(() => listeners.role?.({ action: 'update', record: { key: '4' } }));
  await waitFor(() => expect(useSession.getState().user?.granted).toEqual(['tickets:take']));
});

test('other roles ask for nothing', () => {
  act(() => listeners.role?.({ action: 'update', record: { key: '5' } }));
  act(() => listeners.role?.({ action: 'create', record: { key: '4' } }));
  expect(asked).toEqual([]);
});
