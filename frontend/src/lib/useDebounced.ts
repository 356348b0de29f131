import { useEffect, useState } from 'react';

/**
 * Debounces a value: returns it after it has not changed for `delayMs`; at first the initial value.
 */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
