/** Keeps the texts of drafts on the server as well (rules/messages §10). */

import { api } from '@/lib/api/client';
import type { components } from '@/lib/api/schema';
import { useConnection } from '@/stores/connection';
import { useSession } from '@/stores/session';
import { setDrafts } from '@/stores/unsent';
import { draftTexts, onDraftChange, showDrafts, writeDraft } from './drafts';

type Drafts = components['schemas']['Drafts'];

const PAUSE_MS = 1_000;

/** Texts that wait for the user to pause, by the ticket's id. */
const pausing = new Map<number, number>();

const userId = () => {
  const { status, user, overdueSince } = useSession.getState();
  return status === 'in' && overdueSince === null ? user?.id : undefined;
};

function forgetPauses() {
  for (const timer of pausing.values()) window.clearTimeout(timer);
  pausing.clear();
}

async function push(user: number, ticketId: number, keepalive = false) {
  window.clearTimeout(pausing.get(ticketId));
  pausing.delete(ticketId);
  const text = draftTexts(user).get(ticketId)?.text ?? '';
  try {
    await api.put(`/tickets/${ticketId}/draft`, { text }, { keepalive });
  } catch {
    // The browser has it; it is saved again when the server can be reached.
    return;
  }
  const now = draftTexts(user).get(ticketId);
  if (now?.text === text) writeDraft(user, ticketId, { isSaved: true }, now.at);
}

/** Fetches the drafts of the user's other browsers, and saves those of this one. */
export async function syncDrafts() {
  const user = userId();
  if (user === undefined) return;
  let rows: Drafts['drafts'];
  try {
    ({ drafts: rows } = await api.get<Drafts>('/tickets/drafts'));
  } catch {
    // The next connection tries again.
    return;
  }
  if (userId() !== user) return;
  const own = draftTexts(user);
  const listed = new Set(rows.map(({ ticketId }) => ticketId));
  for (const { ticketId, text, updatedAt } of rows) {
    const known = own.get(ticketId);
    const at = Date.parse(updatedAt);
    if (!known || known.isSaved || known.at < at)
      writeDraft(user, ticketId, { text, isSaved: true }, at);
  }
  for (const [ticketId, { text, isSaved }] of own) {
    if (listed.has(ticketId)) continue;
    // It was sent or emptied in another browser.
    if (isSaved) writeDraft(user, ticketId, { text: '', isSaved: true });
    else if (text) void push(user, ticketId);
  }
}

onDraftChange((user, ticketId) => {
  if (user !== userId()) return;
  window.clearTimeout(pausing.get(ticketId));
  pausing.set(
    ticketId,
    window.setTimeout(() => void push(user, ticketId), PAUSE_MS),
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
