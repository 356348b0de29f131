import { useLayoutEffect, type RefObject } from 'react';
import { TOASTS_END, TOASTS_TOP } from './toast';

const SPACE_PX = 8;
const EDGE_PX = 16;
/** The extent of a two-line notice from the top and from the end of the screen. */
const REACH_PX = { top: 88, end: 400 };

const { style } = document.documentElement;
/** The functions that place the notices; the uppermost element's is last. */
const guests: (() => void)[] = [];

/** Each write restyles the whole page, so an unchanged value is not written. */
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
    // The observer also reports the initial sizes, after layout.
    const observer = new ResizeObserver(guest);
    observer.observe(element);
    // A banner above the page moves the element down and shrinks its ancestors, so they are
    // observed too.
    for (let each = element.parentElement; each; each = each.parentElement) observer.observe(each);
    return () => {
      observer.disconnect();
      guests.splice(guests.indexOf(guest), 1);
      // The head of the next conversation mounts in the same task, at the same place.
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
 * Shows notices below an element while it is mounted, so that they cover neither its buttons nor
 * those beside it.
 */
export const useToastsBelow = (ref: RefObject<HTMLElement | null>) => useGuest(ref, below);

/**
 * Like `useToastsBelow`, for the head of a dialog that notices would overlap: its close button
 * stays free.
 */
export const useToastsBelowDialog = (ref: RefObject<HTMLElement | null>) =>
  useGuest(ref, belowDialogHead);
