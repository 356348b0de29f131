import { expect, test } from 'vitest';
import { labelledPlaces, lineOf, mostOf, nearest, shortMoment, ticksOf, xOf, yOf } from './chart';
import type { TimelinePoint } from './types';

const point = (at: string, delivered: number, read = 0, answered = 0): TimelinePoint => ({
  at,
  delivered,
  read,
  answered,
});
const FRAME = { width: 440, height: 240, left: 40, right: 0, top: 20, bottom: 20 };

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [1284, [0, 500, 1000, 1500]],
])('the axis up to %i has whole steps', (most, ticks) => {
  expect(ticksOf(most)).toEqual(ticks);
});

test('every axis reaches its most in four steps at most', () => {
  for (let most = 0; most < 20_000; most += 7) {
    const ticks = ticksOf(most);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
    expect(ticks.length).toBeLessThanOrEqual(5);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});

test('the line runs from edge to edge, up by what was counted', () => {
  const points = [
    point('2026-11-24T12:00:00Z', 0),
    point('2026-11-24T13:00:00Z', 10),
    point('2026-11-24T14:00:00Z', 5, 10),
  ];
  expect(mostOf(points)).toBe(10);
  expect(lineOf(points, 'delivered', FRAME, 10)).toBe('M40 220L240 20L440 120');
  expect(lineOf(points, 'read', FRAME, 10)).toBe('M40 220L240 220L440 20');
});

test('a single point stands in the middle', () => {
  expect(xOf(FRAME, 0, 1)).toBe(240);
  expect(yOf(FRAME, 0, 4)).toBe(220);
});

test('the pointer finds the nearest point, beyond the edges too', () => {
  expect(nearest(FRAME, 139, 5)).toBe(1);
  expect(nearest(FRAME, 191, 5)).toBe(2);
  expect(nearest(FRAME, -20, 5)).toBe(0);
  expect(nearest(FRAME, 900, 5)).toBe(4);
});

test('labels are few, and as far from each other', () => {
  expect(labelledPlaces(3, 5)).toEqual([0, 1, 2]);
  expect(labelledPlaces(100, 4)).toEqual([0, 33, 66, 99]);
  expect(labelledPlaces(30, 10)).toEqual([0, 4, 8, 12, 16, 20, 24, 28]);
  expect(labelledPlaces(1, 2)).toEqual([0]);
});

test('a moment shows its day where there are several', () => {
  const [first, second] = [new Date(2026, 10, 24, 9, 5), new Date(2026, 10, 25, 9, 5)];
  const at = first.toISOString();
  expect(shortMoment(at, 'minute', [point(at, 1)])).toBe('09:05');
  const both = [point(at, 1), point(second.toISOString(), 1)];
  expect(shortMoment(at, 'hour', both)).toBe('24/11 09:05');
  expect(shortMoment(at, 'day', both)).toBe('24/11');
});
