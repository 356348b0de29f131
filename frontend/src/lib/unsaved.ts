import { useEffect } from 'react';

/**
 * Where what is not saved yet stands: in a dialog over the page, which no link leads away from, in
 * the page, or in what the page's path names: there a filter of the page takes nothing.
 */
type Place = 'dialog' | 'page' | 'path';

/** Everything on the screen that is not saved yet. */
const unsaved = new Set<{ place: Place }>();

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** While dirty, reloading asks first, and so does going to where it would be lost. */
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

/** Whether something is lost by going on to another address, or back to an earlier one. */
export const isLostBy = (action: 'POP' | 'PUSH' | 'REPLACE', isOtherPath: boolean) =>
  [...unsaved].some(({ place }) =>
    place === 'path' ? isOtherPath : place === 'page' || action === 'POP',
  );
