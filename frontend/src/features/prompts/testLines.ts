import type { PromptTest } from './types';

export type TestLine =
  | { kind: 'contact' | 'model'; text: string }
  | { kind: 'handOver' }
  | { kind: 'cost'; tokens: number; seconds: number; model: string };

/** The server takes forty; the question is one of them. */
const SHOWN = 39;

/** The conversation with a question at its end, and as the call takes it. */
export function asked(lines: readonly TestLine[], text: string) {
  const next: TestLine[] = [...lines, { kind: 'contact', text }];
  const messages = next.flatMap((line) =>
    line.kind === 'contact' || line.kind === 'model'
      ? [{ fromMe: line.kind === 'model', text: line.text.slice(0, 4096) }]
      : [],
  );
  return { lines: next, messages: messages.slice(-SHOWN - 1) };
}

/** The conversation with what came of the question. */
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
