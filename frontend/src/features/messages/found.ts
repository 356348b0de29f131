import type { RowKey } from './entries';
import type { FoundMessages } from './types';

/** The messages and notes of the loaded pages of a search, newest first. */
export function hitsOf(pages: readonly FoundMessages[]): RowKey[] {
  const notes = pages[0]?.notes ?? [];
  const hits: RowKey[] = [];
  let next = 0;
  const addNotes = (isDue: (createdAt: number) => boolean) => {
    for (let note = notes[next]; note && isDue(Date.parse(note.createdAt)); note = notes[next]) {
      hits.push(`activity-${note.id}`);
      next += 1;
    }
  };
  for (const { messages } of pages)
    for (const message of messages) {
      const written = Date.parse(message.createdAt);
      addNotes((createdAt) => createdAt >= written);
      hits.push(`message-${message.id}`);
    }
  // Notes before a message that is not loaded would be shown too early.
  if (!pages.at(-1)?.hasMore) addNotes(() => true);
  return hits;
}

export const countOf = ([first]: readonly FoundMessages[]): number =>
  first ? first.count + first.notes.length : 0;
