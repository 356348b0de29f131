/** Notes that were begun and not saved, for each user and ticket, in this browser. */

import type { NoteName } from '../types';

const KEY = 'noteDrafts';
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_COUNT = 100;

export interface NoteDraft {
  text: string;
  /** Whom the user has chosen to mention. */
  chosen: NoteName[];
}

type Kept = NoteDraft & { at: number };

export const EMPTY_NOTE: NoteDraft = { text: '', chosen: [] };

const nameOf = (userId: number, ticketId: number) => `${userId}:${ticketId}`;

function stored(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, Kept>;
  } catch {
    return {};
  }
}

export function readNote(userId: number, ticketId: number): NoteDraft {
  const { text, chosen } = stored()[nameOf(userId, ticketId)] ?? EMPTY_NOTE;
  return { text, chosen };
}

/** Keeps a note; forgets an empty one, old ones and those beyond a hundred. */
export function keepNote(userId: number, ticketId: number, draft: NoteDraft, now = Date.now()) {
  const { [nameOf(userId, ticketId)]: before, ...others } = stored();
  if (!before && !draft.text.trim()) return;
  const all = draft.text.trim()
    ? { ...others, [nameOf(userId, ticketId)]: { ...draft, at: now } }
    : others;
  const kept = Object.entries(all)
    .filter(([, { at }]) => now - at < MAX_AGE_MS)
    .sort(([, left], [, right]) => right.at - left.at)
    .slice(0, MAX_COUNT);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A full or forbidden storage: the note is in its field until the page is left.
  }
}
