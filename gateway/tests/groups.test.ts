import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GroupNames, Groups } from '../src/groups.js';

// The real one never goes back, as the clock of the next test does.
vi.mock('../src/clock.js', () => ({ now: () => Date.now() }));

/** One connection's questions, and what it told. */
function asking(names: GroupNames, subjectOf: (group: string) => Promise<string>) {
  const asked: { group: string; at: number }[] = [];
  const told: string[] = [];
  const groups = new Groups(
    names,
    (group) => {
      asked.push({ group, at: Date.now() });
      return subjectOf(group);
    },
    (group, subject) => told.push(`${group} ${subject}`),
  );
  return { groups, asked, told };
}

const refused = () => Promise.reject(new Error('rate-overlimit'));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a name that does not come is asked for again after waits that grow to an hour', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999);
  const { groups, asked } = asking(new GroupNames(), refused);
  groups.meet('a');
  for (let message = 0; message < 100; message += 1) groups.meet('a');
  await vi.advanceTimersByTimeAsync(12 * 3_600_000);
  const waits = asked.slice(1).map(({ at }, n) => Math.round((at - (asked[n]?.at ?? 0)) / 1000));
  expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(Math.max(...waits)).toBeLessThanOrEqual(3600);
  expect(waits.at(-1)).toBeGreaterThan(3500);
});

test('after a refusal the others wait a moment, and one without a name holds up nobody', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const subjectOf = (group: string) => (group === 'dead' ? refused() : Promise.resolve('Nome'));
  const { groups, asked, told } = asking(new GroupNames(), subjectOf);
  for (const group of ['dead', 'b', 'c']) groups.meet(group);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked.map(({ group }) => group)).toEqual(['dead']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told).toEqual(['b Nome', 'c Nome']);
  // Not even without a wait of its own is it asked for more often than that.
  expect(asked.filter(({ group }) => group === 'dead').length).toBeLessThanOrEqual(4);
  groups.close();
});

test('what came once the connection had ended is asked for by the next', async () => {
  const names = new GroupNames();
  let answer: (subject: string) => void = () => undefined;
  const first = asking(names, () => new Promise((resolve) => (answer = resolve)));
  first.groups.meet('a');
  first.groups.close();
  answer('Nome');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(first.told).toEqual([]);
  first.groups.meet('late');
  const second = asking(names, () => Promise.resolve('Nome'));
  second.groups.resume();
  await vi.advanceTimersByTimeAsync(0);
  expect(second.told).toEqual(['a Nome', 'late Nome']);
  second.groups.meet('a');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(second.asked).toHaveLength(2);
  expect(first.asked).toHaveLength(1);
});
