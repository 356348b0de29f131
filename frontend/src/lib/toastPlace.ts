import { useLayoutEffect, type RefObject } from 'react';
import { TOASTS_END, TOASTS_TOP } from './toast';

const SPACE_PX = 8;
const EDGE_PX = 16;

/**
 * Shows notices below an element while that is on the screen, so that they hide neither its buttons
 * nor those of what stands beside it.
 */
export function useToastsBelow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const root = document.documentElement;
    const place = () => {
      const { bottom, right } = element.getBoundingClientRect();
      root.style.setProperty(TOASTS_TOP, `${Math.round(bottom) + SPACE_PX}px`);
      root.style.setProperty(TOASTS_END, `${Math.round(root.clientWidth - right) + EDGE_PX}px`);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    // A line that comes over the page moves it down, and makes what it stands in lower.
    for (let each = element.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => {
      observer.disconnect();
      root.style.removeProperty(TOASTS_TOP);
      root.style.removeProperty(TOASTS_END);
    };
  }, [ref]);
}
