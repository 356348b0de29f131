import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** In what dialogs, menus and tooltips are drawn; without it at the end of the document. */
export const PortalPlace = createContext<HTMLElement | null>(null);

/** The place for PortalPlace, and the element that holds it, for the page's main part. */
export function usePortalPlace() {
  // Made here and not by React, it is there before what opens at once, and stays when the page waits.
  const [place] = useState(() => document.createElement('div'));
  // Put there once: an element that is moved loses the focus inside it.
  const hold = useCallback((element: HTMLElement | null) => element?.append(place), [place]);
  return { place, holder: <div ref={hold} /> };
}

/** Draws what floats over the page inside its main part, where screen readers look for it. */
export function Portal({ children }: { children: ReactNode }) {
  return createPortal(children, useContext(PortalPlace) ?? document.body);
}
