import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, isNetworkError } from '@/lib/api/errors';
import { errorMessage } from '@/lib/toast';
import { checkSetup } from './api';
import type { SetupCheck, SetupInput, SetupStep } from './types';

export type SetupTarget = Pick<SetupInput, 'id' | 'phone_number_id' | 'waba_id' | 'accessToken'>;

/** In the order of their dependencies. */
export const SETUP_STEPS: readonly SetupStep[] = [
  'token',
  'number',
  'account',
  'subscription',
  'webhook',
  'event',
];

/** The results that make further checks pointless. */
const ENDS = new Set<string>(['token_missing', 'token_refused', 'number_taken', 'unreachable']);
/** The interval of the checks for the first message. */
const LISTEN_MS = 4000;

type Checks = Partial<Record<SetupStep, SetupCheck>>;

interface Run {
  /** The checked form values: after a change the results are no longer valid. */
  target: SetupTarget;
  checks: Checks;
  /** The step whose answer is pending. */
  current: SetupStep | null;
}

const unreached = (step: SetupStep, error: unknown): SetupCheck => ({
  step,
  state: 'failed',
  problem: isNetworkError(error) ? 'unreachable' : 'refused',
  detail: errorMessage(error),
  number: '',
  name: '',
});

const isSame = (left: SetupTarget, right: SetupTarget) =>
  JSON.stringify(left) === JSON.stringify(right);

/**
 * Checks a number's set-up step by step, with each answer as it comes, then waits for the first
 * message. `onRefused` gets errors of the fields themselves.
 */
export function useSetupCheck(target: SetupTarget, onRefused: (error: ApiError) => void) {
  const [run, setRun] = useState<Run | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function look(subscribes: boolean) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const show = (checks: Checks, current: SetupStep | null) => {
      if (!signal.aborted) setRun({ target, checks, current });
    };
    let checks: Checks = {};
    for (const step of SETUP_STEPS) {
      show(checks, step);
      let check: SetupCheck;
      try {
        check = await checkSetup({ ...target, step, subscribes }, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && Object.keys(error.fields).length > 0) {
          onRefused(error);
          setRun(null);
          return;
        }
        check = unreached(step, error);
      }
      checks = { ...checks, [step]: check };
      if (ENDS.has(check.problem)) break;
    }
    show(checks, null);
  }

  const shown = run && isSame(run.target, target) ? run : null;
  const listens = shown?.current === null && shown.checks.event?.problem === 'no_event';
  const listen = useEffectEvent(async (signal: AbortSignal) => {
    const check = await checkSetup({ ...target, step: 'event', subscribes: false }, signal);
    if (!signal.aborted)
      setRun((before) => before && { ...before, checks: { ...before.checks, event: check } });
  });
  useEffect(() => {
    if (!listens) return undefined;
    const controller = new AbortController();
    const timer = setInterval(
      () => void listen(controller.signal).catch(() => undefined),
      LISTEN_MS,
    );
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [listens]);

  return {
    checks: shown?.checks ?? {},
    current: shown?.current ?? null,
    /** A check was requested, and its values are still in the form. */
    isShown: shown !== null,
    look,
  };
}
