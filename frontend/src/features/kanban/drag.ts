import { pointerWithin, rectIntersection, type CollisionDetection } from '@dnd-kit/core';
import type { Ticket } from '@/features/tickets/api';

/** A card being dragged, by pointer, finger or keys. */
export interface Drag {
  ticket: Ticket;
  from: number;
  /** The target lane; null outside of all lanes. */
  over: number | null;
  by: 'pointer' | 'keyboard';
  height: number;
}

/** The place where a card was just dropped. */
export interface Drop {
  ticketId: number;
  laneId: number;
  /** Whether it takes the focus: after a move by keys or menu, not by pointer. */
  focus: boolean;
}

/**
 * The lane under the pointer; in the gap between two lanes, the one that the card overlaps more.
 */
export const laneUnder: CollisionDetection = (given) => {
  const under = pointerWithin(given);
  return under.length > 0 ? under : rectIntersection(given);
};

/** The neighbouring lane, to the left (-1) or right (1); the same lane at the ends. */
export function adjacentLane(laneIds: readonly number[], laneId: number, step: -1 | 1): number {
  const place = laneIds.indexOf(laneId);
  return laneIds[Math.min(laneIds.length - 1, Math.max(0, place + step))] ?? laneId;
}
