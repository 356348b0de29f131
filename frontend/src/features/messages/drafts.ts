/** What was typed and not sent, per person and ticket, across reloads. */

import type { StoredFile } from './composer/composition';
import type { Message } from './types';

const KEY = 'drafts';
const MAX_AGE_MS = 30 * 86_400_000;
const MAX_COUNT = 100;

interface Draft {
  text: string;
  /** The message that is answered to. */
  reply: Message | null;
  /** Files of quick messages; those of this computer can't be kept. */
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
 * Keeps what is given of a draft, the rest stays; an empty one is forgotten, and so are old ones
 * and those beyond a hundred.
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
