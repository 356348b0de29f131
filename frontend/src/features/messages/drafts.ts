/** What was typed and not sent, per person and ticket, across reloads. */

const KEY = 'drafts';
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_COUNT = 100;

type Drafts = Record<string, { text: string; at: number }>;

const nameOf = (userId: number, ticketId: number) => `${userId}:${ticketId}`;

function stored(): Drafts {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

export const readDraft = (userId: number, ticketId: number): string =>
  stored()[nameOf(userId, ticketId)]?.text ?? '';

/** Keeps a draft; an empty one is forgotten, and so are old ones and those beyond a hundred. */
export function writeDraft(userId: number, ticketId: number, text: string, now = Date.now()) {
  const name = nameOf(userId, ticketId);
  const drafts = stored();
  if (!text && !drafts[name]) return;
  const kept = Object.entries({ ...drafts, [name]: { text, at: now } })
    .filter(([, draft]) => draft.text && now - draft.at < MAX_AGE_MS)
    .sort(([, left], [, right]) => right.at - left.at)
    .slice(0, MAX_COUNT);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}
