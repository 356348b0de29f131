import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Waits } from '../src/waits.js';

const LOOKS = { looks: true };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sessions that were connected, and now wait for five minutes each. */
function away(count: number) {
  const waits = new Waits();
  const sessions = Array.from({ length: count }, () => ({ tries: [] as boolean[] }));
  for (const session of sessions) waits.reached(session);
  for (const session of sessions) waits.leave(session);
  const wait = (session: { tries: boolean[] }, looks = LOOKS) =>
    waits.wait(session, 300, (isBack) => session.tries.push(isBack), looks);
  for (const session of sessions) wait(session);
  return { waits, sessions, wait };
}

test('in an outage one session of the process looks within five seconds', () => {
  const { sessions } = away(20);
  vi.advanceTimersByTime(5_000);
  expect(sessions.map(({ tries }) => tries.length).filter(Boolean)).toEqual([1]);
});

test('a session that is not linked looks no sooner', () => {
  const waits = new Waits();
  const session = { tries: 0 };
  waits.wait(session, 60, () => (session.tries += 1), { looks: false });
  vi.advanceTimersByTime(59_000);
  expect(session.tries).toBe(0);
});

test('the looks become rarer while the outage goes on', () => {
  const { sessions, wait } = away(1);
  const [session] = sessions;
  if (!session) throw new Error('There is no session.');
  let tries = 0;
  for (let second = 0; second < 3600; second += 1) {
    vi.advanceTimersByTime(1_000);
    if (session.tries.length > tries) {
      tries = session.tries.length;
      wait(session);
    }
    if (second === 60) expect(tries).toBeGreaterThanOrEqual(10);
  }
  expect(tries).toBeLessThan(150);
});

test('when one gets through, the others follow at once and begin anew', () => {
  const { waits, sessions } = away(20);
  const [first, ...others] = sessions;
  if (!first) throw new Error('There is no session.');
  waits.reached(first);
  vi.advanceTimersByTime(3_000);
  expect(others.every(({ tries }) => tries.length === 1)).toBe(true);
  expect(others.filter(({ tries }) => tries[0]).length).toBeGreaterThanOrEqual(18);
});

test('while another is connected a session keeps its own waits', () => {
  const waits = new Waits();
  const [open, session] = [{}, { tries: 0 }];
  waits.reached(open);
  waits.wait(session, 60, () => (session.tries += 1), LOOKS);
  waits.reached({});
  vi.advanceTimersByTime(59_000);
  expect(session.tries).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(session.tries).toBe(1);
});

test('a session that left is not called', () => {
  const { waits, sessions } = away(1);
  const [session] = sessions;
  if (!session) throw new Error('There is no session.');
  waits.leave(session);
  vi.advanceTimersByTime(400_000);
  expect(session.tries).toEqual([]);
});
