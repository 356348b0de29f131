import type { Ticket } from '@/features/tickets/api';
import type { User } from '@/features/users/api';
import { nameRank } from '@/lib/search';
import type { NoteName } from '../types';

type Person = Pick<User, 'id' | 'name' | 'seesAll'> & { queues: readonly { id: number }[] };
type Named = Pick<NoteName, 'id' | 'name'>;

/** Longer beginnings are no name that is being typed. */
const LONGEST_TERM = 50;
const MOST_OFFERED = 8;
export const MAX_NAMED = 20;

/** Whether a user may read the ticket, and so be mentioned in it (rules/tickets §6, §16). */
const mayRead = ({ id, seesAll, queues }: Person, ticket: Pick<Ticket, 'userId' | 'queueId'>) =>
  seesAll || id === ticket.userId || queues.some((each) => each.id === ticket.queueId);

/** The people and queues that may be mentioned in a ticket's conversation, people first. */
export function namesFor(
  ticket: Pick<Ticket, 'userId' | 'queueId'>,
  users: readonly Person[],
  queues: readonly Named[],
  /** Everybody in the company may read every conversation. */
  allRead: boolean,
  ownId: number,
): NoteName[] {
  const readers = users.filter((user) => allRead || mayRead(user, ticket));
  return [
    ...readers
      .filter(({ id }) => id !== ownId)
      .map(({ id, name }) => ({ kind: 'user' as const, id, name })),
    ...queues
      .filter(({ id }) => readers.some((user) => user.queues.some((queue) => queue.id === id)))
      .map(({ id, name }) => ({ kind: 'queue' as const, id, name })),
  ];
}

/** The name that is being typed: the text between an '@' and the caret; null if none is. */
export function termAt(text: string, caret: number): { start: number; term: string } | null {
  const start = text.lastIndexOf('@', caret - 1);
  if (start < 0 || caret - start > LONGEST_TERM) return null;
  // Inside a word it is an e-mail address.
  if (start > 0 && /[\p{L}\p{N}]/u.test(text[start - 1] ?? '')) return null;
  const term = text.slice(start + 1, caret);
  return /\n| {2}/.test(term) ? null : { start, term };
}

/** The names that a typed beginning may mean, the best first. */
export function offeredFor(names: readonly NoteName[], term: string): NoteName[] {
  const ranked = names.flatMap((name) => {
    const rank = nameRank(name.name, term);
    // A match inside a word would go on offering names while a sentence is written.
    return rank === null || (rank === 2 && term.includes(' ')) ? [] : [{ name, rank }];
  });
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .slice(0, MOST_OFFERED)
    .map(({ name }) => name);
}

/** A note's text in parts, of which those with `isName` are mentions. */
export function partsOf(text: string, mentions: readonly Pick<NoteName, 'name'>[]) {
  // The longest first: '@Ana Paula' is not '@Ana'.
  const names = mentions.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const parts: { text: string; isName: boolean }[] = [];
  let rest = text;
  let plain = '';
  while (rest) {
    const name = names.find((each) => rest.startsWith(`@${each}`));
    if (name === undefined) {
      const next = rest.indexOf('@', 1);
      const end = next < 0 ? rest.length : next;
      plain += rest.slice(0, end);
      rest = rest.slice(end);
      continue;
    }
    if (plain) parts.push({ text: plain, isName: false });
    plain = '';
    parts.push({ text: `@${name}`, isName: true });
    rest = rest.slice(name.length + 1);
  }
  if (plain) parts.push({ text: plain, isName: false });
  return parts;
}

/**
 * Whom a text mentions: each '@name' of those who may be mentioned. Of several with one name those
 * that were `chosen` from the list, else all.
 */
export function namedIn(
  text: string,
  names: readonly NoteName[],
  chosen: readonly NoteName[],
): NoteName[] {
  const written = new Set(
    partsOf(text, names).flatMap((part) => (part.isName ? [part.text.slice(1)] : [])),
  );
  return [...written].flatMap((name) => {
    const same = names.filter((each) => each.name === name);
    const picked = same.filter(({ kind, id }) =>
      chosen.some((each) => each.kind === kind && each.id === id),
    );
    return picked.length > 0 ? picked : same;
  });
}
