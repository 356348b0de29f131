import { expect, test } from 'vitest';
import { EarlyUpdates } from './earlyUpdates';
import { makeMessage } from './testData';

const arrived = makeMessage(7, { mediaState: 'fetching', updatedAt: '2026-03-02T12:00:00Z' });
const fetched = makeMessage(7, { mediaState: 'ready', updatedAt: '2026-03-02T12:00:01Z' });

test('a step that overtook its message is not lost', () => {
  const early = new EarlyUpdates();
  early.note(fetched);
  expect(early.newestOf(arrived)).toBe(fetched);
  expect(early.newestOf(makeMessage(8)).id).toBe(8);
});

test('of several updates the newest counts, and a staler one than the message never', () => {
  const early = new EarlyUpdates();
  early.note(fetched);
  early.note(arrived);
  expect(early.newestOf(arrived)).toBe(fetched);
  const later = makeMessage(7, { updatedAt: '2026-03-02T12:00:09Z' });
  expect(early.newestOf(later)).toBe(later);
});

test('updates of long ago are forgotten', () => {
  const early = new EarlyUpdates();
  early.note(fetched);
  for (let id = 100; id < 150; id += 1) early.note(makeMessage(id));
  expect(early.newestOf(arrived)).toBe(arrived);
});
