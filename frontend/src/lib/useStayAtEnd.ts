import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

/** Rounding of a scroll position. */
const END_PX = 2;
/** From so near to the end a new row is followed. */
export const AT_BOTTOM_PX = 48;
/** What a reader scrolls with, or asks for another place with. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Keeps a list that stands at its end there, whatever changes size: a new row, what is written
 * below it, a picture that has loaded, the window. Scrolling up leaves the end, and so does who
 * reads on in a long message (`data-read-on`). Below the end of a part that ends early (`isEnd` is
 * false) more is loaded: one stays where one reads. Returns a function that goes to the end:
 * Virtuoso's scrollToIndex may go up first, by heights that it has not measured.
 *
 * The list must not have a `followOutput`: for 100 ms after any change of its rows Virtuoso follows
 * whatever grows then, also a message that is read on.
 */
export function useStayAtEnd(
  scroller: HTMLElement | null,
  isEnd: boolean,
  rows: number,
): () => void {
  const mayFollow = useEffectEvent(() => isEnd);
  const place = useRef({ isAtEnd: isEnd, isNear: isEnd });
  // Asked for and nothing done since: Virtuoso alone moves the list, as it measures its rows.
  const isAsked = useRef(false);
  const before = useRef({ isEnd, rows });
  useLayoutEffect(() => {
    // The last part that has just been loaded is not followed.
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
      // A list that is not drawn has no place.
      if (clientHeight === 0) return;
      const distance = scrollHeight - clientHeight - scrollTop;
      // In a list that has grown the browser moves the place up, and tells of it when the list may
      // have shrunk again: that is nobody's scrolling.
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
    // Before the message grows.
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
