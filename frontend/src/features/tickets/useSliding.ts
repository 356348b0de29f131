import { useLayoutEffect, useRef, type RefObject } from 'react';
import { isStill } from '@/lib/motion';

const DURATION_MS = 180;
/** A row that moves further than this appears at its place without sliding. */
const FARTHEST_ROWS = 6;
/** More new rows than this mean another list, not a change of this one. */
const MOST_NEW = 5;

/** The number of rows by which the list has shifted, from the first visible rows. */
export function shiftOf(before: readonly number[], now: ReadonlyMap<number, number>, top: number) {
  for (const [offset, id] of before.slice(top, top + FARTHEST_ROWS).entries()) {
    const place = now.get(id);
    const shift = place === undefined ? null : place - (top + offset);
    if (shift !== null && Math.abs(shift) <= MOST_NEW) return shift;
  }
  return 0;
}

/**
 * Animates rows of equal height to their new places, and keeps the visible rows in place if the
 * list is scrolled. Rows carry `data-ticket`.
 */
export function useSliding(
  scroller: RefObject<HTMLElement | null>,
  ids: readonly number[],
  rowHeight: number,
) {
  const before = useRef<readonly number[]>(ids);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = ids;
    const isSame = old.length === ids.length && old.every((id, index) => id === ids[index]);
    if (isSame || old.length === 0) return;
    const places = new Map(ids.map((id, index) => [id, index]));
    const oldPlaces = new Map(old.map((id, index) => [id, index]));
    // The virtual list renders after this effect; a frame callback still runs before the paint.
    const frame = requestAnimationFrame(() => {
      const box = scroller.current;
      if (!box) return;
      const top = Math.floor(box.scrollTop / rowHeight);
      const shift = top > 0 ? shiftOf(old, places, top) : 0;
      if (shift) box.scrollTop += shift * rowHeight;
      if (isStill()) return;
      const isNew = (id: number) => !oldPlaces.has(id);
      const hasMany = ids.filter(isNew).length > MOST_NEW;
      for (const row of box.querySelectorAll<HTMLElement>('[data-ticket]')) {
        const id = Number(row.dataset.ticket);
        const oldPlace = oldPlaces.get(id);
        const rows = (oldPlace ?? 0) - (places.get(id) ?? 0) + shift;
        const isFar = oldPlace === undefined || Math.abs(rows) > FARTHEST_ROWS;
        if (oldPlace === undefined && hasMany) continue;
        if (!isFar && rows === 0) continue;
        const start = isFar
          ? { transform: `translateY(-${rowHeight / 4}px)`, opacity: 0 }
          : { transform: `translateY(${rows * rowHeight}px)` };
        row.animate([start, { transform: 'none', opacity: 1 }], {
          duration: DURATION_MS,
          easing: 'cubic-bezier(0.2, 0, 0, 1)',
        });
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [ids, rowHeight, scroller]);
}
