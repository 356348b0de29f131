import { useSyncExternalStore } from 'react';

/** Whether a media query matches, kept up to date; the breakpoints are those of the theme. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Whether the screen is as narrow as a phone's (rules/screens §1). */
export const useNarrow = () => useMedia('(max-width: 600px)');

/**
 * Whether the pointer is a finger: then the keyboard is on the screen, and Enter breaks the line.
 */
export const isTouch = () => window.matchMedia('(pointer: coarse)').matches;
