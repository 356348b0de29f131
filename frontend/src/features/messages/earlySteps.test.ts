import { expect, test } from 'vitest';
import { EarlySteps } from './earlySteps';
import { makeMessage } from './testData';

const arrived = makeMessage(7, { mediaState: 'fetching', updatedAt: '2026-03-02T12:00:00Z' });
const fetched = makeMessage(7, { mediaState: 'ready', updatedAt: '2026-03-02T12:00:01Z' });

test('a step that overtook its message is not lost', () => {
  const early = new EarlySteps();
  early.note(fetched);
  expect(early.newestOf(arrived)).toBe(fetched);
  expect(early.newestOf(makeMessage(8)).id).toBe(8);
});

test('of several steps the newest counts, and a staler one than the message never', () => {
  const early = new EarlySteps();
  early.note(fetched);
  early.note(arrived);
  expect(early.newestOf(arrived)).toBe(fetched);
  const later = makeMessage(7, { updatedAt: '2026-03-02T12:00:09Z' });
  expect(early.newestOf(later)).toBe(later);
});

test('steps of long ago are forgotten', () => {
  const early = new EarlySteps();
  early.note(fetched);
  for (let id = 100; id < 150; id += 1) early.note(makeMessage(id));
  expect(early.newestOf(arrived)).toBe(arrived);
});
