import { useEffect, useRef } from 'react';

/** Rounding of a scroll position. */
const END_PX = 2;

/**
 * Keeps a list that stands at its end there, whatever changes size: what is written below it, a
 * picture that has loaded, the window. Only scrolling up leaves the end.
 */
export function useStayAtEnd(scroller: HTMLElement | null, isEnd: boolean) {
  // Below the end of a part that ends early more is loaded: one stays where one reads.
  const enabled = useRef(isEnd);
  useEffect(() => {
    enabled.current = isEnd;
  }, [isEnd]);
  useEffect(() => {
    if (!scroller) return;
    let isAtEnd = enabled.current;
    let lastTop = scroller.scrollTop;
    let lastHeight = scroller.clientHeight;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      // A list that is not drawn has no place.
      if (clientHeight === 0) return;
      const distance = scrollHeight - clientHeight - scrollTop;
      // In a list that has grown the browser moves the place up, and tells of it when the list may
      // have shrunk again: that is nobody's scrolling.
      const stays = scrollTop >= lastTop || clientHeight !== lastHeight;
      isAtEnd = enabled.current && (distance <= END_PX || (isAtEnd && stays));
      lastTop = scrollTop;
      lastHeight = clientHeight;
    };
    const resizes = new ResizeObserver(() => {
      if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
    });
    resizes.observe(scroller);
    for (const part of scroller.querySelectorAll('[data-testid="virtuoso-item-list"]'))
      resizes.observe(part);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      resizes.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [scroller]);
}
