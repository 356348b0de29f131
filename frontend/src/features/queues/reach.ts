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

/**
 * What the server did with a new queue if it is the company's only one (rules/queues §1), as a
 * translation key; null for another one, which nobody attends yet.
 */
export function firstOf({ hasConnection, hasAttendants }: Parameters<typeof lacksOf>[0]) {
  if (!hasAttendants) return null;
  return hasConnection ? 'number' : 'alone';
}
