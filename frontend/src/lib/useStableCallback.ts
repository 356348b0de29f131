import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * Returns one function that stays the same between renders and calls the newest `callback`. For
 * handlers of memoised rows and for what asynchronous work calls later; inside an effect use
 * `useEffectEvent`. Must not be called while rendering.
 */
export function useStableCallback<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
