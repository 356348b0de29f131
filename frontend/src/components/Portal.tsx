import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/**
 * The element in which dialogs, menus and tooltips are rendered; by default the end of the
 * document.
 */
export const PortalPlace = createContext<HTMLElement | null>(null);

/** The place for PortalPlace, and the element that holds it, for the page's main part. */
export function usePortalPlace() {
  // Created here, not by React: it exists before anything opens at once, and stays when the page
  // suspends.
  const [place] = useState(() => document.createElement('div'));
  // Appended only once: moving an element drops the focus inside it.
  const hold = useCallback((element: HTMLElement | null) => element?.append(place), [place]);
  return { place, holder: <div ref={hold} /> };
}

/** Renders overlays inside the page's main part, where screen readers look for them. */
export function Portal({ children }: { children: ReactNode }) {
  return createPortal(children, useContext(PortalPlace) ?? document.body);
}
