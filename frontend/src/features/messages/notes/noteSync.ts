/** Keeps notes that were begun on the server as well (rules/messages §10). */

import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { useSession } from '@/stores/session';
import { noteOf, noteTickets, onNoteChange, writeNote } from './drafts';

const PAUSE_MS = 1_000;

/** Notes that wait for the user to pause, by the ticket's id. */
const pausing = new Map<number, number>();

async function push(userId: number, ticketId: number) {
  window.clearTimeout(pausing.get(ticketId));
  pausing.delete(ticketId);
  // The next user of this browser must not save it as theirs.
  if (useSession.getState().user?.id !== userId) return;
  const text = noteOf(userId, ticketId)?.text ?? '';
  try {
    await api.put(`/tickets/${ticketId}/draft`, { note: text });
  } catch (error) {
    // The note of a ticket that is gone has gone with it; any other waits for the next change.
    if (!(text === '' && error instanceof ApiError && error.status === 404)) return;
  }
  if ((noteOf(userId, ticketId)?.text ?? '') === text) writeNote(userId, ticketId, text, true);
}

/** Shows a note of another browser, unless it was changed here since. */
export function takeNote(userId: number, ticketId: number, note: string) {
  const known = noteOf(userId, ticketId);
  if (known ? known.isSaved && known.text !== note : note !== '')
    writeNote(userId, ticketId, note, true);
}

/** Shows the server's notes, and saves those that it does not have. */
export function takeNotes(userId: number, rows: readonly { ticketId: number; note?: string }[]) {
  const notes = new Map(rows.map(({ ticketId, note = '' }) => [ticketId, note]));
  for (const ticketId of noteTickets(userId)) {
    if (!noteOf(userId, ticketId)?.isSaved) void push(userId, ticketId);
    // It was saved or emptied in another browser.
    else if (!notes.has(ticketId)) takeNote(userId, ticketId, '');
  }
  for (const [ticketId, note] of notes) takeNote(userId, ticketId, note);
}

onNoteChange((userId, ticketId) => {
  window.clearTimeout(pausing.get(ticketId));
  pausing.set(
    ticketId,
    window.setTimeout(() => void push(userId, ticketId), PAUSE_MS),
  );
});
