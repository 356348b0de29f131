import { useLayoutEffect, useRef, useState } from 'react';

/**
 * Whether an element's content is wider than the element; measured again when `content` changes.
 */
export function useOverflow<Element extends HTMLElement>(content: string) {
  const ref = useRef<Element>(null);
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setOverflows(element.scrollWidth > element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [content]);
  return { ref, overflows };
}
