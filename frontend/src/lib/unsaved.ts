import { useEffect } from 'react';

/**
 * Where unsaved input is: in a dialog over the page, which no link can leave; in the page; or in a
 * form that belongs to the page's path, so that changing a filter of the page loses nothing.
 */
type Place = 'dialog' | 'page' | 'path';

/** All unsaved input on the screen. */
const unsaved = new Set<{ place: Place }>();

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** While dirty, asks before a reload and before a navigation that would lose the input. */
export function useUnsaved(dirty: boolean, place: Place = 'dialog') {
  useEffect(() => {
    if (!dirty) return;
    const form = { place };
    unsaved.add(form);
    window.addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(form);
      if (unsaved.size === 0) window.removeEventListener('beforeunload', ask);
    };
  }, [dirty, place]);
}

/** Whether a navigation, forward or back, would lose unsaved input. */
export const isLostBy = (action: 'POP' | 'PUSH' | 'REPLACE', isOtherPath: boolean) =>
  [...unsaved].some(({ place }) =>
    place === 'path' ? isOtherPath : place === 'page' || action === 'POP',
  );
