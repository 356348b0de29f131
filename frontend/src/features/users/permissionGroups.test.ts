import { expect, test } from 'vitest';
import { GROUPS, mayGrant, switched } from './permissionGroups';

const REQUIRES = {
  'contacts:edit': 'contacts:see',
  'tickets:seeAll': 'tickets:seeQueues',
} as const;

test('every permission is in one group', () => {
  const all = GROUPS.flatMap(({ permissions }) => permissions);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(24);
});

test('a permission brings the one that it needs, and goes with it', () => {
  const edits = switched([], 'contacts:edit', true, REQUIRES);
  expect(edits).toEqual(['contacts:see', 'contacts:edit']);
  expect(switched(edits, 'contacts:edit', false, REQUIRES)).toEqual(['contacts:see']);
  expect(switched(edits, 'contacts:see', false, REQUIRES)).toEqual([]);
});

test('switching one leaves the others', () => {
  const chosen = switched(['tickets:take'], 'billing:manage', true, REQUIRES);
  expect(chosen).toEqual(['tickets:take', 'billing:manage']);
});

test('nobody grants what they lack', () => {
  expect(mayGrant(['tickets:take'], ['tickets:take'])).toBe(true);
  expect(mayGrant(['tickets:take'], ['tickets:take', 'billing:manage'])).toBe(false);
  expect(mayGrant([], [])).toBe(true);
});
