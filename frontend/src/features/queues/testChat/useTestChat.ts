import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { QueueDraft } from '../drafts';
import {
  askBot,
  draftBody,
  type Step,
  type TestAnswer,
  type TestEffect,
  type TestMessage,
} from './api';

export type Entry = { id: number; at: Date } & (
  | { kind: 'mine'; text: string }
  | { kind: 'bot'; message: TestMessage }
  | { kind: 'effect'; effect: TestEffect }
  | { kind: 'silence' }
);

type Said = Pick<Step, 'text' | 'choiceId' | 'form'>;

interface TestInput {
  form: UseFormReturn<QueueDraft>;
  queueId: number | null;
  onNode: (key: string | null) => void;
}

/** The effect of a flow that keeps answering is shown only once. */
const isKnown = (entry: Entry, before: readonly Entry[]) =>
  entry.kind === 'effect' &&
  entry.effect.kind === 'left' &&
  before.some((each) => each.kind === 'effect' && isEqual(each.effect, entry.effect));

const isEqual = (one: TestEffect, other: TestEffect) =>
  JSON.stringify(one) === JSON.stringify(other);

/** The state of a conversation with the draft's bot. */
export function useTestChat({ form, queueId, onNode }: TestInput) {
  const [entries, setEntries] = useState<Entry[]>([]);
  const [state, setState] = useState<TestAnswer['state'] | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ error: unknown; step: Step } | null>(null);
  /** The time of the contact's message; null means now. */
  const [moment, setMoment] = useState<Date | null>(null);
  /** The draft at the start of the conversation. */
  const [begun, setBegun] = useState<string | null>(null);
  const [hasChanged, setChanged] = useState(false);
  const running = useRef<AbortController | null>(null);
  /** Messages written while the bot was still answering. */
  const waiting = useRef<Said[]>([]);
  const lastId = useRef(0);

  const entry = <Kind extends object>(kind: Kind, at: Date) => {
    lastId.current += 1;
    return { ...kind, id: lastId.current, at };
  };

  async function ask(step: Step, at: Date | null) {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setBusy(true);
    setFailed(null);
    const queue = draftBody(form.getValues());
    if (step.state === null) {
      setBegun(JSON.stringify(queue));
      setChanged(false);
    }
    try {
      const question = { ...step, queue, queueId, at: at?.toISOString() ?? null };
      const answer = await askBot(question, control.signal);
      if (control.signal.aborted) return;
      const when = at ?? new Date();
      const added: Entry[] = [
        ...answer.messages.map((message) => entry({ kind: 'bot' as const, message }, when)),
        ...answer.effects.map((effect) => entry({ kind: 'effect' as const, effect }, when)),
      ];
      if (added.length === 0) added.push(entry({ kind: 'silence' as const }, when));
      setEntries((before) => [...before, ...added.filter((each) => !isKnown(each, before))]);
      setState(answer.state);
      onNode(answer.optionId);
      const next = waiting.current.shift();
      if (next) void ask({ state: answer.state, ...next }, at);
    } catch (error) {
      if (!control.signal.aborted) setFailed({ error, step });
    } finally {
      if (!control.signal.aborted) setBusy(false);
    }
  }

  const start = (at: Date | null = moment) => {
    setEntries([]);
    setState(null);
    onNode(null);
    waiting.current = [];
    void ask({ state: null, text: '' }, at);
  };
  const canSend = busy || state !== null;
  /**
   * Sends a text, after the bot's current answer; returns false if the conversation has not begun.
   */
  const send = (text: string, choiceId?: string, filled?: Said['form']): boolean => {
    if (!canSend || !text.trim()) return false;
    const said = {
      text: text.trim(),
      ...(choiceId && { choiceId }),
      ...(filled && { form: filled }),
    };
    setEntries((before) => [
      ...before,
      entry({ kind: 'mine' as const, text: said.text }, moment ?? new Date()),
    ]);
    if (busy) waiting.current.push(said);
    else void ask({ state, ...said }, moment);
    return true;
  };

  const arrive = useEffectEvent(() => {
    const { greetingMessage, options } = form.getValues();
    if (greetingMessage.trim() || options.length > 0) start();
  });
  const leave = useEffectEvent(() => onNode(null));
  const compare = useEffectEvent(() =>
    setChanged(begun !== null && begun !== JSON.stringify(draftBody(form.getValues()))),
  );
  const { subscribe } = form;
  useEffect(
    () => subscribe({ formState: { values: true }, callback: () => compare() }),
    [subscribe],
  );
  useEffect(() => {
    const arrival = window.setTimeout(arrive);
    return () => {
      window.clearTimeout(arrival);
      running.current?.abort();
      leave();
    };
  }, []);

  return {
    entries,
    busy,
    canSend,
    failed,
    moment,
    hasBegun: begun !== null,
    hasChanged,
    start,
    send,
    retry: () => failed && void ask(failed.step, moment),
    /** Starts again at another time. */
    changeMoment: (at: Date | null) => {
      setMoment(at);
      start(at);
    },
  };
}
