import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilItComes } from './untilItComes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failing = (times: number) => {
  const load = vi.fn(() => Promise.resolve('words'));
  for (let each = 0; each < times; each += 1) load.mockRejectedValueOnce(new Error('gone'));
  return load;
};

test('what failed is asked for again, ever later', async () => {
  const load = failing(3);
  const words = untilItComes(load);
  await vi.advanceTimersByTimeAsync(499);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(999);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1 + 2000);
  expect(load).toHaveBeenCalledTimes(4);
  expect(await words).toBe('words');
});

test('it never gives up, and waits a quarter of a minute at most', async () => {
  const load = failing(100);
  void untilItComes(load);
  await vi.advanceTimersByTimeAsync(120_000);
  const before = load.mock.calls.length;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(load).toHaveBeenCalledTimes(before + 1);
});

test('a connection that returns is used at once', async () => {
  const load = failing(6);
  const words = untilItComes(load);
  for (let each = 0; each < 6; each += 1) {
    await vi.advanceTimersByTimeAsync(0);
    window.dispatchEvent(new Event('online'));
  }
  expect(await words).toBe('words');
  expect(load).toHaveBeenCalledTimes(7);
});
