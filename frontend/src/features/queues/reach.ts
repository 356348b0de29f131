import type { Queue } from './types';

/** What a queue lacks: nothing leads to it, nobody works in it, or both; as keys of the texts. */
export function lacksOf({
  hasConnection,
  hasAttendants,
}: Pick<Queue, 'hasConnection' | 'hasAttendants'>) {
  return [
    ...(hasConnection ? [] : (['connection'] as const)),
    ...(hasAttendants ? [] : (['attendants'] as const)),
  ];
}

/** The sentence that says what to do about it, as a key of the texts; nothing where it is fine. */
export function adviceOf(queue: Parameters<typeof lacksOf>[0]) {
  const [first, second] = lacksOf(queue);
  return second ? 'both' : first;
}
