import { pointerWithin, rectIntersection, type CollisionDetection } from '@dnd-kit/core';
import type { Ticket } from '@/features/tickets/api';

/** A card under way, by pointer, finger or keys. */
export interface Drag {
  ticket: Ticket;
  from: number;
  /** The lane it would go to; null beside all lanes. */
  over: number | null;
  by: 'pointer' | 'keyboard';
  height: number;
}

/** Where a card has just been put. */
export interface Drop {
  ticketId: number;
  laneId: number;
  /** Whether it takes the focus: after keys and menus, not after a pointer. */
  focus: boolean;
}

/** The lane under the pointer; in the gap between two, the one that the card covers more. */
export const laneUnder: CollisionDetection = (given) => {
  const under = pointerWithin(given);
  return under.length > 0 ? under : rectIntersection(given);
};

/** The lane beside one, to the left (-1) or right (1); the same at the ends. */
export function adjacentLane(laneIds: readonly number[], laneId: number, step: -1 | 1): number {
  const place = laneIds.indexOf(laneId);
  return laneIds[Math.min(laneIds.length - 1, Math.max(0, place + step))] ?? laneId;
}
