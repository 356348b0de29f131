import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '@/lib/queryClient';
import { closeSession, openSession } from '@/stores/session';
import { useUi } from '@/stores/ui';
import { makeUser } from '@/test/user';
import { fetchFirstList } from './firstList';

/** What was asked for of lists and counts: modules of other tests ask for theirs. */
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  queryClient.clear();
  vi.stubGlobal('fetch', (url: string) => {
    if (/\/tickets(\/counts)?\?/.test(url)) asked.push(url);
    return Promise.resolve(new Response('{"tickets": [], "count": 0, "hasMore": false}'));
  });
});
afterEach(() => closeSession());

test('the list of the address and its counts are asked for once there is a session', () => {
  fetchFirstList('?tab=closed&queues=3');
  expect(asked).toEqual([]);
  openSession({ token: 'abc', user: makeUser() });
  expect(asked).toEqual([
    expect.stringMatching(/\/tickets\?status=closed&queueIds=%5B3%5D.*&pageNumber=1$/),
    expect.stringMatching(/\/tickets\/counts\?queueIds=%5B3%5D/),
  ]);
  openSession({ token: 'abc', user: makeUser() });
  expect(asked).toHaveLength(2);
});

test('a session that allows nothing but paying asks for no list', () => {
  fetchFirstList('');
  openSession({ token: 'abc', user: makeUser() }, true);
  expect(asked).toEqual([]);
});

test('the page is drawn once its list is there', async () => {
  fetchFirstList('');
  expect(useUi.getState().pageHeld).toBe(false);
  openSession({ token: 'abc', user: makeUser() });
  expect(useUi.getState().pageHeld).toBe(true);
  await vi.waitFor(() => expect(useUi.getState().pageHeld).toBe(false));
  expect(queryClient.getQueriesData({ queryKey: ['tickets', 'list'] })[0]?.[1]).toBeDefined();
});

test.each([
  ['takes long', () => new Promise(() => undefined)],
  ['fails', () => Promise.resolve(new Response('{"error": "ERR_ANY"}', { status: 400 }))],
])('the page is drawn without its list when that %s', async (_, answer) => {
  vi.stubGlobal('fetch', answer);
  fetchFirstList('');
  openSession({ token: 'abc', user: makeUser() });
  await vi.waitFor(() => expect(useUi.getState().pageHeld).toBe(false));
});
