import { useSyncExternalStore } from 'react';

export const STEP_MS = 10_000;

function subscribe(onStep: () => void) {
  const timer = window.setInterval(onStep, STEP_MS);
  return () => window.clearInterval(timer);
}
/** The time in steps, so that an unchanged step renders nothing. */
const step = () => Math.floor(Date.now() / STEP_MS);

/** The present time in milliseconds, in steps of STEP_MS. */
export const useStep = () => useSyncExternalStore(subscribe, step) * STEP_MS;
