import type { PromptTest } from './types';

export type TestLine =
  | { kind: 'contact' | 'model'; text: string }
  | { kind: 'handOver' }
  | { kind: 'cost'; tokens: number; seconds: number; model: string };

/** The server accepts forty messages, including the question. */
const SHOWN = 39;

/** Appends a question, and returns the messages for the request. */
export function asked(lines: readonly TestLine[], text: string) {
  const next: TestLine[] = [...lines, { kind: 'contact', text }];
  const messages = next.flatMap((line) =>
    line.kind === 'contact' || line.kind === 'model'
      ? [{ fromMe: line.kind === 'model', text: line.text.slice(0, 4096) }]
      : [],
  );
  return { lines: next, messages: messages.slice(-SHOWN - 1) };
}

/** Appends the answer to a question. */
export function answered(lines: readonly TestLine[], answer: PromptTest): TestLine[] {
  const { messages, handOver, promptTokens, completionTokens, durationMs, model } = answer;
  const tokens = promptTokens + completionTokens;
  return [
    ...lines,
    ...messages.map((text): TestLine => ({ kind: 'model', text })),
    { kind: 'cost', tokens, seconds: durationMs / 1000, model },
    ...(handOver ? [{ kind: 'handOver' as const }] : []),
  ];
}
