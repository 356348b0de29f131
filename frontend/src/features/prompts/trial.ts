import type { PromptTrial } from './api';

export type TrialLine =
  | { kind: 'contact' | 'model'; text: string }
  | { kind: 'handOver' }
  | { kind: 'cost'; tokens: number; seconds: number; model: string };

/** The server takes forty; the question is one of them. */
const SHOWN = 39;

/** The conversation with a question at its end, and as the call takes it. */
export function asked(lines: readonly TrialLine[], text: string) {
  const next: TrialLine[] = [...lines, { kind: 'contact', text }];
  const messages = next.flatMap((line) =>
    line.kind === 'contact' || line.kind === 'model'
      ? [{ fromMe: line.kind === 'model', text: line.text.slice(0, 4096) }]
      : [],
  );
  return { lines: next, messages: messages.slice(-SHOWN - 1) };
}

/** The conversation with what came of the question. */
export function answered(lines: readonly TrialLine[], answer: PromptTrial): TrialLine[] {
  const { messages, handOver, promptTokens, completionTokens, durationMs, model } = answer;
  const tokens = promptTokens + completionTokens;
  return [
    ...lines,
    ...messages.map((text): TrialLine => ({ kind: 'model', text })),
    { kind: 'cost', tokens, seconds: durationMs / 1000, model },
    ...(handOver ? [{ kind: 'handOver' as const }] : []),
  ];
}
