import { expect, test } from 'vitest';
import { gatherMs } from './events';
import type { Team } from './types';

const team = (count: number): Team => ({
  members: [],
  waiting: [{ queueId: 4, name: 'Vendas', color: '#3E7BD6', count, since: '2026-03-04T12:00:00Z' }],
  forSupervisors: [],
});

test('a large team is fetched less often', () => {
  expect(gatherMs()).toBe(gatherMs(team(3)));
  expect(gatherMs(team(2000))).toBeGreaterThan(gatherMs(team(3)));
});
