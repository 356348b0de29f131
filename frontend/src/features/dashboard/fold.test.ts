import { expect, test } from 'vitest';
import { foldUser } from './fold';
import { makeDashboard } from './testData';

test('who comes is online at once', () => {
  const dashboard = makeDashboard();
  const folded = foldUser(dashboard, { id: 2, name: 'Bruno Lima', online: true });
  expect(folded.attendants[1]).toMatchObject({ id: 2, name: 'Bruno Lima', online: true });
  expect(folded.attendants[0]).toBe(dashboard.attendants[0]);
});

test('what changes nothing, and who is not there, leave it as it is', () => {
  const dashboard = makeDashboard();
  expect(foldUser(dashboard, { id: 1, name: 'Ana Prado', online: true })).toBe(dashboard);
  expect(foldUser(dashboard, { id: 9, name: 'Nova', online: true })).toBe(dashboard);
});
