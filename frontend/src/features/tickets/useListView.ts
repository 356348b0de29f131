import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { formatView, parseView, type ListView } from './view';

/** The view stored in the address, and a function that changes parts of it. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => parseView(params), [params]);
  // A second change may come before the address reflects the first.
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  }, [view]);
  const change = useCallback(
    (part: Partial<ListView>) => {
      latest.current = { ...latest.current, ...part };
      setParams(formatView(latest.current), { replace: true });
    },
    [setParams],
  );
  return [view, change];
}
