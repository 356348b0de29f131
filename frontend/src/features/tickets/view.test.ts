import { expect, test } from 'vitest';
import type { Reader } from './types';
import { filterCount, filtersOf, formatView, parseView, showsAll } from './view';

const admin: Reader = { userId: 1, queues: [], isAdmin: true, seesAll: true };
const agent: Reader = { userId: 2, queues: [3], isAdmin: false, seesAll: false };
const usual = parseView(new URLSearchParams());

test('a view survives the address', () => {
  const view = {
    tab: 'search' as const,
    subTab: 'pending' as const,
    showAll: true,
    searchesOwn: true,
    queues: [0, 3],
    tags: [4, 5],
    users: [6],
    unread: true,
    campaigns: true,
    closing: true,
    snoozed: true,
    nearest: true,
    search: 'maria',
  };
  expect(parseView(formatView(view))).toEqual(view);
  expect(filterCount(view)).toBe(9);
});

test('rubbish in the address is the usual view', () => {
  const view = parseView(new URLSearchParams('tab=x&list=y&queues=a,-1,2,2&all=2&tags=,1e9'));
  expect(view).toEqual({ ...usual, queues: [2] });
  expect(formatView(usual).toString()).toBe('');
});

test('a search is lower-cased and looks through all statuses and all that one may see', () => {
  const view = { ...usual, tab: 'search' as const, search: ' Ana ' };
  const none = {
    queues: [],
    tags: [],
    users: [],
    unread: false,
    campaigns: false,
    closing: false,
    snoozed: false,
  };
  expect(filtersOf(view, admin)).toEqual({ ...none, showAll: true, search: 'ana' });
  expect(showsAll({ ...view, searchesOwn: true })).toBe(false);
});

test('filters that a reader may not use are left out', () => {
  const view = { ...usual, showAll: true, queues: [0, 3], users: [9], tags: [4] };
  expect(filtersOf(view, agent)).toEqual({
    status: 'open',
    showAll: false,
    queues: [3],
    tags: [4],
    users: [],
    unread: false,
    campaigns: false,
    closing: false,
    snoozed: false,
  });
  expect(filtersOf(view, admin)).toMatchObject({ showAll: true, queues: [0, 3], users: [9] });
});

test('the waiting list alone begins with the longest wait, where the company wants that', () => {
  const waiting = { ...usual, subTab: 'pending' as const };
  const reader = { ...agent, longestFirst: true };
  expect(filtersOf(waiting, reader).order).toBe('longest_waiting');
  expect(filtersOf(usual, reader).order).toBeUndefined();
  expect(filtersOf({ ...waiting, tab: 'closed' }, reader).order).toBeUndefined();
  expect(filtersOf(waiting, agent).order).toBeUndefined();
});

test('the nearest deadline comes first where the company has deadlines', () => {
  const view = parseView(new URLSearchParams('list=pending&order=deadline'));
  expect(formatView(view).get('order')).toBe('deadline');
  expect(filtersOf(view, { ...agent, hasDeadlines: true }).order).toBe('nearest_deadline');
  expect(filtersOf(view, agent).order).not.toBe('nearest_deadline');
});
