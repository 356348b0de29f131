import type { Arrival } from './rules';

/** How many windows are remembered; each is asked for within its last hour. */
const REMEMBERED = 200;

const keyOf = (userId: number) => `toldWindows:${userId}`;

const nameOf = ({ ticket, closesAt }: Arrival) => `${ticket.id}:${Date.parse(closesAt ?? '')}`;

function toldOf(userId: number): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether this browser has told the user of a closing window. */
export const wasTold = (userId: number, arrival: Arrival): boolean =>
  toldOf(userId).includes(nameOf(arrival));

/** Remembers that this browser tells the user of a closing window, across reloads. */
export function noteTold(userId: number, arrival: Arrival): void {
  const told = [...toldOf(userId).filter((each) => each !== nameOf(arrival)), nameOf(arrival)];
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(told.slice(-REMEMBERED)));
  } catch {
    // A full or forbidden storage: the window is told of once more after a reload.
  }
}
