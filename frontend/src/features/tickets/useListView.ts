import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { formatView, parseView, type ListView } from './view';

/** The view of the address, and a way to change parts of it. */
export function useListView(): [ListView, (change: Partial<ListView>) => void] {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => parseView(params), [params]);
  // Two changes may come before the address has followed the first.
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
