import { expect, test } from 'vitest';
import { shortMoment } from './chart';

const point = (at: string) => ({ at, delivered: 1, read: 0, answered: 0 });

test('a moment shows its day where there are several', () => {
  const [first, second] = [new Date(2026, 10, 24, 9, 5), new Date(2026, 10, 25, 9, 5)];
  const at = first.toISOString();
  expect(shortMoment(at, 'minute', [point(at)])).toBe('09:05');
  const both = [point(at), point(second.toISOString())];
  expect(shortMoment(at, 'hour', both)).toBe('24/11 09:05');
  expect(shortMoment(at, 'day', both)).toBe('24/11');
});
