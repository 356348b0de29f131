import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Below these widths, in px, a header shows icons instead of labels, and a menu instead of icons.
 */
const ICONS_PX = 620;
const MENU_PX = 500;

export type HeaderLayout = 'words' | 'icons' | 'menu';

export const layoutFor = (width: number): HeaderLayout =>
  width >= ICONS_PX ? 'words' : width >= MENU_PX ? 'icons' : 'menu';

/** The layout for an element's width; the width of the pane counts, not the window's. */
export function useHeaderLayout<Element extends HTMLElement>() {
  const ref = useRef<Element>(null);
  const [layout, setLayout] = useState<HeaderLayout>('words');
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setLayout(layoutFor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, layout };
}
