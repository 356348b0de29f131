/** Notes that were begun and not saved, for each user and ticket; the server keeps them, too. */

import { create } from 'zustand';

const KEY = 'noteDrafts';
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_COUNT = 100;

interface Kept {
  text: string;
  at: number;
  /** The server has the text. */
  isSaved: boolean;
}

type Notes = Partial<Record<string, Kept>>;

const nameOf = (userId: number, ticketId: number) => `${userId}:${ticketId}`;

function stored(): Notes {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Notes;
  } catch {
    return {};
  }
}

/** For `test/setup.ts`, which resets it; components use `useNote`. */
export const useNotes = create<{ notes: Notes }>(() => ({ notes: stored() }));

/** The note of a conversation; '' without one. */
export const useNote = (userId: number, ticketId: number): string =>
  useNotes(({ notes }) => notes[nameOf(userId, ticketId)]?.text ?? '');

export const noteOf = (userId: number, ticketId: number): Kept | undefined =>
  useNotes.getState().notes[nameOf(userId, ticketId)];

/** Keeps a note; forgets a saved empty one, old ones and those beyond a hundred. */
export function writeNote(
  userId: number,
  ticketId: number,
  text: string,
  isSaved = false,
  now = Date.now(),
) {
  const before = useNotes.getState().notes;
  const notes: Notes = { ...before, [nameOf(userId, ticketId)]: { text, at: now, isSaved } };
  const kept = Object.fromEntries(
    Object.entries(notes)
      .flatMap(([name, note]) => (note ? [[name, note] as const] : []))
      .filter(([, each]) => (each.text || !each.isSaved) && now - each.at < MAX_AGE_MS)
      .sort(([, left], [, right]) => right.at - left.at)
      .slice(0, MAX_COUNT),
  );
  useNotes.setState({ notes: kept });
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage: the page has it until it is left.
  }
  if (!isSaved) onChange(userId, ticketId);
}

/** The ids of the tickets of a user's notes. */
export function noteTickets(userId: number): number[] {
  const prefix = nameOf(userId, 0).slice(0, -1);
  return Object.keys(useNotes.getState().notes)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)));
}

/** Called when the user has changed a note. */
let onChange: (userId: number, ticketId: number) => void = () => undefined;

export const onNoteChange = (handler: typeof onChange) => {
  onChange = handler;
};
