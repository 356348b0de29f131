/** Keeps the texts of drafts on the server as well (rules/messages §10). */

import { api } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema';
import { useConnection } from '@/stores/connection';
import { useSession } from '@/stores/session';
import type { LiveEvent } from '@/lib/api/types';
import { noteArrival, setDrafts } from '@/stores/unsent';
import { draftTexts, isUnsaved, onDraftChange, showDrafts, writeDraft } from './drafts';
import { takeNote, takeNotes } from './notes/noteSync';

type Drafts = components['schemas']['Drafts'];

const PAUSE_MS = 1_000;

/** Texts that wait for the pause after the one before, by the ticket's id. */
const pausing = new Map<number, number>();
/** When the last text went to the server, by the ticket's id. */
const wentAt = new Map<number, number>();

/** The order of this page's questions for drafts and of the texts that the server took. */
let turn = 0;
/** The turn of the last text that the server took, by the ticket's id. */
const takenAt = new Map<number, number>();

const userId = () => {
  const { status, user, overdueSince } = useSession.getState();
  return status === 'in' && overdueSince === null ? user?.id : undefined;
};

function forgetPauses() {
  for (const timer of pausing.values()) window.clearTimeout(timer);
  pausing.clear();
  wentAt.clear();
}

async function push(user: number, ticketId: number, keepalive = false) {
  window.clearTimeout(pausing.get(ticketId));
  pausing.delete(ticketId);
  wentAt.set(ticketId, Date.now());
  const text = draftTexts(user).get(ticketId)?.text ?? '';
  try {
    await api.put(`/tickets/${ticketId}/draft`, { text }, { keepalive });
  } catch (error) {
    // The draft of a ticket that is gone has gone with it.
    const isGone = text === '' && error instanceof ApiError && error.status === 404;
    // The browser has it; it is saved again when the server can be reached.
    if (!isGone) return;
  }
  turn += 1;
  takenAt.set(ticketId, turn);
  const isCurrent = draftTexts(user).get(ticketId)?.text === text;
  writeDraft(user, ticketId, isCurrent ? { isSaved: true } : { saved: text });
}

/** Fetches the drafts of the user's other browsers, and saves those of this one. */
export async function syncDrafts() {
  const user = userId();
  if (user === undefined) return;
  turn += 1;
  const askedAt = turn;
  let rows: Drafts['drafts'];
  let listed: Set<number>;
  try {
    ({ drafts: rows } = await api.get<Drafts>('/tickets/drafts'));
    listed = new Set(rows.map(({ ticketId }) => ticketId));
  } catch {
    // The next connection tries again.
    return;
  }
  if (userId() !== user) return;
  takeNotes(user, rows);
  const own = draftTexts(user);
  for (const { ticketId, text, updatedAt } of rows) {
    // The answer may be older than what the server took meanwhile.
    if ((takenAt.get(ticketId) ?? 0) > askedAt) continue;
    const known = own.get(ticketId);
    const at = Date.parse(updatedAt);
    // The clocks may differ: a text that this browser saved is older than its own, whatever `at`.
    if (known && isUnsaved(known) && (known.saved === text || known.at >= at))
      void push(user, ticketId);
    else writeDraft(user, ticketId, { text, isSaved: true }, at);
  }
  for (const [ticketId, draft] of own) {
    if (listed.has(ticketId)) continue;
    if (isUnsaved(draft)) void push(user, ticketId);
    // It was sent or emptied in another browser, unless the server took it after the question.
    else if (draft.isSaved && (takenAt.get(ticketId) ?? 0) <= askedAt)
      writeDraft(user, ticketId, { text: '', isSaved: true });
  }
}

/**
 * Shows what was typed in another browser of the user, or in this one: a text that was changed here
 * since, or is the same, stays.
 */
export function takeDraft({ ticketId, text, note, updatedAt }: LiveEvent<'ticketDraft'>) {
  const user = userId();
  if (user === undefined) return;
  if (note !== undefined) takeNote(user, ticketId, note);
  if (text === undefined) return;
  const known = draftTexts(user).get(ticketId);
  if ((known && isUnsaved(known)) || (known?.text ?? '') === text) return;
  writeDraft(user, ticketId, { text, isSaved: true }, Date.parse(updatedAt));
  noteArrival(ticketId);
}

onDraftChange((user, ticketId) => {
  if (user !== userId() || pausing.has(ticketId)) return;
  // The first key goes at once: others who write learn of it before anybody sends (useAlone).
  const wait = (wentAt.get(ticketId) ?? 0) + PAUSE_MS - Date.now();
  if (wait <= 0) void push(user, ticketId);
  else
    pausing.set(
      ticketId,
      window.setTimeout(() => void push(user, ticketId), wait),
    );
});

function begin() {
  const user = userId();
  if (user === undefined) return;
  showDrafts(user);
  void syncDrafts();
}

useSession.subscribe((now, before) => {
  if (now.status === before.status && now.user?.id === before.user?.id) return;
  forgetPauses();
  setDrafts({});
  begin();
});
useConnection.subscribe(({ state }, before) => {
  if (state === 'connected' && before.state === 'lost') void syncDrafts();
});
window.addEventListener('pagehide', () => {
  const user = userId();
  if (user === undefined) return;
  for (const ticketId of pausing.keys()) void push(user, ticketId, true);
});
begin();
