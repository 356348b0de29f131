import { useEffect, useRef, useState } from 'react';

/** Rounding of a scroll position. */
const END_PX = 2;
/** After this, and then so many frames, a list has measured what came. */
const SETTLE_MS = 300;
const SETTLE_FRAMES = 3;

/**
 * Keeps a list that stands at its end there, whatever changes size: what is written below it, a
 * picture that has loaded, the window. Scrolling up leaves the end, and so does who reads on in a
 * long message (`data-read-on`). Below the end of a part that ends early more is loaded: one stays
 * where one reads. Returns whether the list may follow what comes, for its `followOutput`: a
 * function that says no is not enough, as the list also follows what grows while it stands at its
 * end.
 */
export function useStayAtEnd(scroller: HTMLElement | null, isEnd: boolean): boolean {
  const [follows, setFollows] = useState(isEnd);
  const [reading, setReading] = useState(0);
  useEffect(() => {
    let frame = 0;
    // In a busy page the timer runs before the frame in which the list measures a message that was
    // read on: a list that follows by then would jump to its end.
    const wait = (left: number) => {
      frame = requestAnimationFrame(() => (left > 1 ? wait(left - 1) : setFollows(isEnd)));
    };
    const timer = setTimeout(() => wait(SETTLE_FRAMES), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [isEnd, reading]);
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
    const readOn = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest('[data-read-on]')) return;
      isAtEnd = false;
      setFollows(false);
      setReading((turn) => turn + 1);
    };
    scroller.addEventListener('scroll', look, { passive: true });
    // Before the message grows.
    scroller.addEventListener('click', readOn, { capture: true });
    return () => {
      resizes.disconnect();
      scroller.removeEventListener('scroll', look);
      scroller.removeEventListener('click', readOn, { capture: true });
    };
  }, [scroller]);
  return follows && isEnd;
}
