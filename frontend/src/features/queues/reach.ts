import type { Queue } from './types';

/** The problems of a queue: nothing leads to it, it has no users, or both; as translation keys. */
export function lacksOf({
  hasConnection,
  hasAttendants,
}: Pick<Queue, 'hasConnection' | 'hasAttendants'>) {
  return [
    ...(hasConnection ? [] : (['connection'] as const)),
    ...(hasAttendants ? [] : (['attendants'] as const)),
  ];
}

/** The sentence with the remedy, as a translation key; undefined if there is no problem. */
export function adviceOf(queue: Parameters<typeof lacksOf>[0]) {
  const [first, second] = lacksOf(queue);
  return second ? 'both' : first;
}
