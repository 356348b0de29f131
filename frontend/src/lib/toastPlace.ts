import { useLayoutEffect, type RefObject } from 'react';
import { TOASTS_END, TOASTS_TOP } from './toast';

const SPACE_PX = 8;
const EDGE_PX = 16;
/** How far a notice of two lines reaches from the top and the end of the screen. */
const REACH_PX = { top: 88, end: 400 };

const { style } = document.documentElement;
/** Who says where notices are shown, the uppermost last. */
const guests: (() => void)[] = [];

/** Each write has the whole page styled anew: none says what is said already. */
function write(name: string, px: number) {
  const value = `${Math.round(px)}px`;
  if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

function clear() {
  style.removeProperty(TOASTS_TOP);
  style.removeProperty(TOASTS_END);
}

function useGuest(ref: RefObject<HTMLElement | null>, placeBelow: (box: DOMRect) => void) {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const place = () => placeBelow(element.getBoundingClientRect());
    const guest = () => {
      if (guests.at(-1) === guest) place();
    };
    guests.push(guest);
    // It tells of the first sizes too, once the page is laid out.
    const observer = new ResizeObserver(guest);
    observer.observe(element);
    // A line that comes over the page moves it down, and makes what it stands in lower.
    for (let each = element.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => {
      observer.disconnect();
      guests.splice(guests.indexOf(guest), 1);
      // The next conversation's head is mounted in the same breath, at the same place.
      queueMicrotask(() => {
        const uppermost = guests.at(-1);
        if (uppermost) uppermost();
        else clear();
      });
    };
  }, [ref, placeBelow]);
}

function below({ bottom, right }: DOMRect) {
  write(TOASTS_TOP, bottom + SPACE_PX);
  write(TOASTS_END, document.documentElement.clientWidth - right + EDGE_PX);
}

function belowDialogHead(box: DOMRect) {
  const isReached =
    box.top < REACH_PX.top && document.documentElement.clientWidth - box.right < REACH_PX.end;
  if (!isReached) {
    clear();
    return;
  }
  write(TOASTS_TOP, box.bottom + SPACE_PX);
  style.removeProperty(TOASTS_END);
}

/**
 * Shows notices below an element while that is on the screen, so that they hide neither its buttons
 * nor those of what stands beside it.
 */
export const useToastsBelow = (ref: RefObject<HTMLElement | null>) => useGuest(ref, below);

/** The same for a dialog's head, where notices would reach it: its cross stays free. */
export const useToastsBelowDialog = (ref: RefObject<HTMLElement | null>) =>
  useGuest(ref, belowDialogHead);
