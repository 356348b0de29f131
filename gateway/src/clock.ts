/**
 * Milliseconds that only grow, even if the process or the machine was suspended.
 *
 * The monotonic clock stops while the machine is suspended, and the wall clock may be set. The
 * larger of the two never reports less time than has passed.
 */
export function now(): number {
  const monotonic = performance.now();
  const wall = Date.now() - WALL_AT_START;
  furthest = Math.max(furthest, monotonic, wall);
  return furthest;
}

const WALL_AT_START = Date.now() - performance.now();
let furthest = 0;
