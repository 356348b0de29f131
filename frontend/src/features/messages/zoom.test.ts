import { expect, test } from 'vitest';
import { settled, WHOLE, zoomedAt } from './zoom';

const frame = { width: 800, height: 600 };

test('the point under the pointer stays where it is', () => {
  const at = { x: 100, y: -50 };
  const view = zoomedAt(WHOLE, 2, at, frame);
  expect(view).toEqual({ scale: 2, x: -100, y: 50 });
  // The same point of the picture is still at that position.
  expect((at.x - view.x) / view.scale).toBe(at.x);
  expect(zoomedAt(view, 0.5, at, frame)).toEqual(WHOLE);
});

test('it is never smaller than whole nor larger than eight times', () => {
  expect(zoomedAt(WHOLE, 0.1, { x: 0, y: 0 }, frame).scale).toBe(1);
  expect(zoomedAt(WHOLE, 100, { x: 0, y: 0 }, frame).scale).toBe(8);
});

test('it cannot be drawn out of its frame', () => {
  expect(settled({ scale: 2, x: 9000, y: -9000 }, frame)).toEqual({ scale: 2, x: 400, y: -300 });
  expect(settled({ scale: 1, x: 50, y: 50 }, frame)).toEqual(WHOLE);
});
