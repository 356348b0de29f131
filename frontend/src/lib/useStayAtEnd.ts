import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** Tolerance for the rounding of a scroll position. */
const END_PX = 2;
/** Within this distance of the end, the list follows a new row. */
export const AT_BOTTOM_PX = 48;
/** Events by which the user scrolls or asks for another place. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Keeps a list that is at its end there, whatever changes size: a new row, a field below it, a
 * loaded picture, the window. Scrolling up leaves the end, and so does expanding a long message
 * (`data-read-on`). If the loaded part ends early (`isEnd` is false), newer rows load below it and
 * the position stays. Returns a function that goes to the end: Virtuoso's scrollToIndex may first
 * scroll up, because of heights that it has not measured.
 *
 * The list must not have a `followOutput`: for 100 ms after any change of its rows Virtuoso follows
 * whatever grows then, also an expanded message.
 */
export function useStayAtEnd(
  scroller: HTMLElement | null,
  isEnd: boolean,
  rows: number,
): () => void {
  const mayFollow = useEffectEvent(() => isEnd);
  const place = useRef({ isAtEnd: isEnd, isNear: isEnd });
  // The end was requested and the user has not acted since: only Virtuoso moves the list, as it
  // measures its rows.
  const isAsked = useRef(false);
  const before = useRef({ isEnd, rows });
  useLayoutEffect(() => {
    // Loading the last part does not count as new rows to follow.
    const isNew = isEnd && before.current.isEnd && rows > before.current.rows;
    before.current = { isEnd, rows };
    if (isNew && place.current.isNear) place.current.isAtEnd = true;
  }, [isEnd, rows]);
  useEffect(() => {
    if (!scroller) return;
    place.current = { isAtEnd: mayFollow(), isNear: mayFollow() };
    let lastTop = scroller.scrollTop;
    let lastHeight = scroller.clientHeight;
    const keep = () => {
      if (place.current.isAtEnd) scroller.scrollTop = scroller.scrollHeight;
    };
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      // A list without layout has no position.
      if (clientHeight === 0) return;
      const distance = scrollHeight - clientHeight - scrollTop;
      // In a list that has grown the browser moves the position up, and fires the scroll event when
      // the list may have shrunk again: the user did not scroll.
      const stays = isAsked.current || scrollTop >= lastTop || clientHeight !== lastHeight;
      const isAtEnd = mayFollow() && (distance <= END_PX || (place.current.isAtEnd && stays));
      place.current = {
        isAtEnd,
        isNear: isAtEnd || (mayFollow() && distance <= AT_BOTTOM_PX),
      };
      lastTop = scrollTop;
      lastHeight = clientHeight;
      if (isAsked.current) keep();
    };
    const resizes = new ResizeObserver(keep);
    resizes.observe(scroller);
    for (const part of scroller.querySelectorAll('[data-testid="virtuoso-item-list"]'))
      resizes.observe(part);
    const readOn = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-read-on]'))
        place.current = { isAtEnd: false, isNear: false };
    };
    const forget = () => {
      isAsked.current = false;
    };
    const caught = { capture: true, passive: true };
    for (const input of INPUTS) document.addEventListener(input, forget, caught);
    scroller.addEventListener('scroll', look, { passive: true });
    // Runs before the message grows.
    scroller.addEventListener('click', readOn, { capture: true });
    return () => {
      resizes.disconnect();
      for (const input of INPUTS) document.removeEventListener(input, forget, caught);
      scroller.removeEventListener('scroll', look);
      scroller.removeEventListener('click', readOn, { capture: true });
    };
  }, [scroller]);
  return useCallback(() => {
    place.current = { isAtEnd: true, isNear: true };
    isAsked.current = true;
    scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [scroller]);
}
