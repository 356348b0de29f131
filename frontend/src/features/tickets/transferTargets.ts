import type { Queue } from '@/features/queues/api';
import type { User } from '@/features/users/api';
import { foldText, nameRank } from '@/lib/search';
import { mayHold } from './transfer';

/** The target of a transfer: a user, or a queue in which the ticket waits. */
export type Target =
  | { kind: 'user'; id: number; name: string; user: User }
  | { kind: 'queue'; id: number; name: string; queue: Queue };

/** 'related' targets match by something else than their name. */
export type TargetGroup = 'recent' | 'people' | 'queues' | 'related';

export type PlacedTarget = Target & { group: TargetGroup };

const MOST_RECENT = 5;

export const targetKey = ({ kind, id }: Pick<Target, 'kind' | 'id'>) => `${kind}:${id}`;

/** The searched text of a target: its name, for a user also e-mail and queues. */
const wordsOf = (target: Target) =>
  foldText(
    target.kind === 'queue'
      ? target.name
      : [target.name, target.user.email, ...target.user.queues.map(({ name }) => name)].join(' '),
  );

/**
 * The targets that match the typed text, ignoring accents and case: the recent ones first, in their
 * order, then users, online ones first, then queues, and last those who match only by e-mail or by
 * a queue of theirs.
 */
export function targetsFor(
  users: readonly User[],
  queues: readonly Queue[],
  recent: readonly string[],
  typed: string,
): PlacedTarget[] {
  const people = [...users].sort(
    (a, b) =>
      Number(mayHold(b)) - Number(mayHold(a)) ||
      Number(b.online) - Number(a.online) ||
      a.name.localeCompare(b.name),
  );
  const all: PlacedTarget[] = [
    ...people.map((user): PlacedTarget => ({
      kind: 'user',
      id: user.id,
      name: user.name,
      user,
      group: 'people',
    })),
    ...queues.map((queue): PlacedTarget => ({
      kind: 'queue',
      id: queue.id,
      name: queue.name,
      queue,
      group: 'queues',
    })),
  ];
  const terms = foldText(typed).split(' ');
  const fitting = all.filter((target) => {
    const words = wordsOf(target);
    return terms.every((term) => words.includes(term));
  });
  const isNamed = ({ name }: Target) => nameRank(name, typed) !== null;
  const named = fitting.filter(isNamed);
  const first = recent.flatMap((key) => named.filter((target) => targetKey(target) === key));
  return [
    ...first.map((target): PlacedTarget => ({ ...target, group: 'recent' })),
    ...named.filter((target) => !first.includes(target)),
    ...fitting
      .filter((target) => !isNamed(target))
      .map((target): PlacedTarget => ({ ...target, group: 'related' })),
  ];
}

const storageKey = (userId: number) => `transferTargets:${userId}`;

/** The last transfer targets of a user in this browser, newest first. */
export function recentTargets(userId: number): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

export function rememberTarget(userId: number, target: Target) {
  const key = targetKey(target);
  const others = recentTargets(userId).filter((known) => known !== key);
  localStorage.setItem(storageKey(userId), JSON.stringify([key, ...others].slice(0, MOST_RECENT)));
}
