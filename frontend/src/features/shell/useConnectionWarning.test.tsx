import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { openSession } from '@/stores/session';
import { makeUser } from '@/test/user';
import { useConnectionWarning } from './useConnectionWarning';

const live = vi.hoisted((): Record<string, (event: unknown) => void> => ({}));
const warning = vi.hoisted(() => vi.fn());
vi.mock('@/lib/toast', () => ({ toast: { warning } }));
vi.mock('@/lib/socket', () => ({
  useCompanyEvent: (name: string, handler: (event: unknown) => void) => {
    live[name] = handler;
  },
}));

let status: string;
let alerts: object[];
let asked: number;

beforeEach(() => {
  vi.useFakeTimers();
  status = 'CONNECTED';
  alerts = [];
  warning.mockClear();
  queryClient.clear();
  openSession({ token: 'abc', user: makeUser() });
  asked = 0;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return Promise.resolve(new Response(JSON.stringify([{ id: 5, name: 'Loja', status, alerts }])));
  });
});
afterEach(() => vi.useRealTimers());

const show = (enabled = true) =>
  renderHook(() => useConnectionWarning(enabled), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    ),
  }).result;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const becomes = async (next: string) => {
  status = next;
  await act(async () => {
    live.whatsappSession?.({});
    await vi.advanceTimersByTimeAsync(0);
  });
};

test('a connection that goes down is told of after two seconds and not before', async () => {
  const warned = show();
  await pass(10_000);
  expect(warned.current).toBe(false);
  await becomes('DISCONNECTED');
  await pass(1900);
  expect(warned.current).toBe(false);
  await pass(200);
  expect(warned.current).toBe(true);
  await becomes('CONNECTED');
  await pass(1900);
  expect(warned.current).toBe(true);
  await pass(200);
  expect(warned.current).toBe(false);
});

test('one that is back within two seconds is not told of', async () => {
  const warned = show();
  await pass(0);
  await becomes('OPENING');
  await pass(1500);
  await becomes('CONNECTED');
  await pass(600);
  expect(warned.current).toBe(false);
  await pass(10_000);
  expect(warned.current).toBe(false);
});

test('what was down before is told of after two seconds as well', async () => {
  status = 'TIMEOUT';
  const warned = show();
  await pass(1900);
  expect(warned.current).toBe(false);
  await pass(200);
  expect(warned.current).toBe(true);
});

test('who may not see connections hears of none', async () => {
  status = 'TIMEOUT';
  const warned = show(false);
  await pass(10_000);
  expect(warned.current).toBe(false);
});

test('what comes at once is asked for twice, and the last of it is known', async () => {
  const warned = show();
  await pass(0);
  asked = 0;
  for (let each = 0; each < 30; each++) await becomes('OPENING');
  await becomes('DISCONNECTED');
  await pass(5000);
  expect(asked).toBe(2);
  expect(warned.current).toBe(true);
});

const restricted = { kind: 'RESTRICTED_BIZ_INITIATED_MESSAGING', severity: 'critical', text: '' };
const says = async (next: object[]) => {
  alerts = next;
  await act(async () => {
    live.whatsapp?.({
      action: 'update',
      whatsapp: { id: 5, name: 'Loja', status, alerts },
    });
    await vi.advanceTimersByTimeAsync(0);
  });
};

test('a restricted account is told of once, and has the badge until it is lifted', async () => {
  const warned = show();
  await pass(0);
  const alert = { ...restricted, at: '2026-11-20T10:40:00+00:00', until: null };
  const older = { ...alert, kind: 'FLAGGED', severity: 'warning', at: '2026-11-19T10:40:00+00:00' };
  await says([alert, older]);
  await says([alert, older]);
  expect(warning.mock.calls).toEqual([['A Meta enviou um aviso sobre Loja. Veja em Conexões.']]);
  await pass(2100);
  expect(warned.current).toBe(true);
  await says([older]);
  await pass(3100);
  expect(warned.current).toBe(false);
  expect(warning).toHaveBeenCalledTimes(1);
});

test('who may not see connections hears of no alert', async () => {
  show(false);
  await says([{ ...restricted, at: '2026-11-20T10:40:00+00:00', until: null }]);
  expect(warning).not.toHaveBeenCalled();
});
