import { useLayoutEffect, type RefObject } from 'react';
import { TOASTS_END, TOASTS_TOP } from './toast';

const SPACE_PX = 8;
const EDGE_PX = 16;

const { style } = document.documentElement;
let guests = 0;

/** Each write has the whole page styled anew: none says what is said already. */
function write(name: string, px: number) {
  const value = `${Math.round(px)}px`;
  if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

/**
 * Shows notices below an element while that is on the screen, so that they hide neither its buttons
 * nor those of what stands beside it.
 */
export function useToastsBelow(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const place = () => {
      const { bottom, right } = element.getBoundingClientRect();
      write(TOASTS_TOP, bottom + SPACE_PX);
      write(TOASTS_END, document.documentElement.clientWidth - right + EDGE_PX);
    };
    guests += 1;
    // It tells of the first sizes too, once the page is laid out.
    const observer = new ResizeObserver(place);
    observer.observe(element);
    // A line that comes over the page moves it down, and makes what it stands in lower.
    for (let each = element.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => {
      observer.disconnect();
      guests -= 1;
      // The next conversation's head is mounted in the same breath, at the same place.
      queueMicrotask(() => {
        if (guests > 0) return;
        style.removeProperty(TOASTS_TOP);
        style.removeProperty(TOASTS_END);
      });
    };
  }, [ref]);
}
