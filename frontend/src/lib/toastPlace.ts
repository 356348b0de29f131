import { useLayoutEffect, type RefObject } from 'react';
import { TOASTS_TOP } from './toast';

const SPACE_PX = 8;

/** Shows notices below an element while that is on the screen, so that they hide none of its buttons. */
export function useToastsBelow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const root = document.documentElement;
    const place = () =>
      root.style.setProperty(
        TOASTS_TOP,
        `${Math.round(element.getBoundingClientRect().bottom) + SPACE_PX}px`,
      );
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    // A line that comes over the page moves it down, and makes what it stands in lower.
    for (let each = element.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => {
      observer.disconnect();
      root.style.removeProperty(TOASTS_TOP);
    };
  }, [ref]);
}
