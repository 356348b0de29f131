import { useEffect } from 'react';

/** Everything on the screen that is not saved yet, and whether it is a part of the page. */
const unsaved = new Set<{ isPage: boolean }>();

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/**
 * While dirty, reloading and going back ask first; what is a part of the page, and no dialog over
 * it, also asks before a link leads away.
 */
export function useUnsaved(dirty: boolean, isPage = false) {
  useEffect(() => {
    if (!dirty) return;
    const form = { isPage };
    unsaved.add(form);
    window.addEventListener('beforeunload', ask);
    return () => {
      unsaved.delete(form);
      if (unsaved.size === 0) window.removeEventListener('beforeunload', ask);
    };
  }, [dirty, isPage]);
}

/** Whether something is lost by going on to another address, or back to an earlier one. */
export const isLostBy = (action: 'POP' | 'PUSH' | 'REPLACE') =>
  [...unsaved].some(({ isPage }) => isPage || action === 'POP');
