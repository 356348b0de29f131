import { expect, test } from 'vitest';
import { foldProgress } from './fold';
import { REHEARSAL } from './testData';

const running = { ...REHEARSAL, state: 'running' as const, ticketsDone: 400, ticketsTotal: 1000 };

test('progress is folded in, and never goes back', () => {
  const known = { rehearsal: running, report: null };
  expect(foldProgress(known, { ...running, ticketsDone: 800 }).rehearsal.ticketsDone).toBe(800);
  expect(foldProgress(known, { ...running, ticketsDone: 100 }).rehearsal.ticketsDone).toBe(400);
});

test('what is over stays over, and another one changes nothing', () => {
  const done = { rehearsal: REHEARSAL, report: null };
  expect(foldProgress(done, running)).toBe(done);
  const known = { rehearsal: running, report: null };
  expect(foldProgress(known, { ...running, id: 99 })).toBe(known);
  expect(foldProgress(known, REHEARSAL).rehearsal.state).toBe('done');
});
