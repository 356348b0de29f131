/** Unsent texts for each user and ticket, kept across reloads. */

import type { StoredFile } from './composer/composition';
import type { Message } from './types';

const KEY = 'drafts';
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_COUNT = 100;

interface Draft {
  text: string;
  /** The quoted message. */
  reply: Message | null;
  /** Files that are already on the server; local files cannot be kept. */
  stored: StoredFile[];
}

type Drafts = Record<string, Partial<Draft> & { at: number }>;

const nameOf = (userId: number, ticketId: number) => `${userId}:${ticketId}`;

function storedDrafts(): Drafts {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

export function readDraft(userId: number, ticketId: number): Draft {
  const { text = '', reply = null, stored = [] } = storedDrafts()[nameOf(userId, ticketId)] ?? {};
  return { text, reply, stored };
}

const isKept = ({ text, reply, stored }: Partial<Draft>) =>
  Boolean(text) || Boolean(reply) || (stored?.length ?? 0) > 0;

/**
 * Updates the given fields of a draft. Removes it if it is empty, and removes old drafts and those
 * beyond a hundred.
 */
export function writeDraft(
  userId: number,
  ticketId: number,
  changes: Partial<Draft>,
  now = Date.now(),
) {
  const name = nameOf(userId, ticketId);
  const drafts = storedDrafts();
  const draft = { ...drafts[name], ...changes, at: now };
  if (!isKept(draft) && !drafts[name]) return;
  const kept = Object.entries({ ...drafts, [name]: draft })
    .filter(([, each]) => isKept(each) && now - each.at < MAX_AGE_MS)
    .sort(([, left], [, right]) => right.at - left.at)
    .slice(0, MAX_COUNT);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}
