import { expect, test } from 'vitest';
import { barAt, barPath, labelStep, ticksOf } from './bars';

test('the scale has four whole steps and room for the most', () => {
  expect(ticksOf(0)).toEqual([0, 1, 2, 3, 4]);
  expect(ticksOf(22)).toEqual([0, 8, 16, 24, 32]);
  for (const most of [1, 4, 5, 9, 33, 99, 101, 9999, 12345]) {
    const ticks = ticksOf(most);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
    expect(ticks.every(Number.isInteger)).toBe(true);
  }
});

test('labels stand as close as they have room', () => {
  expect(labelStep(24, 1100, 44)).toBe(1);
  expect(labelStep(24, 320, 44)).toBe(4);
});

test('the pointer is over a bar, or beside them all', () => {
  expect(barAt(40, 40, 240, 24)).toBe(0);
  expect(barAt(279, 40, 240, 24)).toBe(23);
  expect(barAt(39, 40, 240, 24)).toBeNull();
  expect(barAt(281, 40, 240, 24)).toBeNull();
});

test('a low bar is no rounder than it is high', () => {
  expect(barPath(0, 10, 10, 1)).toBe('M0 11V11Q0 10 1 10H9Q10 10 10 11V11Z');
});
