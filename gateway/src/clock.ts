/**
 * Milliseconds that only grow, also while the process or the machine stood still.
 *
 * The monotonic clock of a suspended machine stands still too, the wall's may be set; the further of
 * the two never says that less time went by than did.
 */
export function now(): number {
  const monotonic = performance.now();
  const wall = Date.now() - WALL_AT_START;
  furthest = Math.max(furthest, monotonic, wall);
  return furthest;
}

const WALL_AT_START = Date.now() - performance.now();
let furthest = 0;
