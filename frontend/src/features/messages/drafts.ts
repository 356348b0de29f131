/** Unsent texts for each user and ticket, kept across reloads; the server keeps the texts, too. */

import { setDrafts } from '@/stores/unsent';
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

interface Kept extends Partial<Draft> {
  /** When the text changed last. */
  at: number;
  /** The server has the text. */
  isSaved?: boolean | undefined;
  /** The last text that the server had from this browser, or gave to it. */
  saved?: string;
}

type Drafts = Record<string, Kept>;

const BEGINNING = 100;

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

/** Whether the server still has to get a text, or to hear that it was sent or emptied. */
export const isUnsaved = ({ text, isSaved }: Pick<Kept, 'text' | 'isSaved'>) =>
  isSaved === false || (!isSaved && Boolean(text));

/**
 * Updates the given fields of a draft. Removes it if it is empty and the server knows that, and
 * removes old drafts and those beyond a hundred.
 */
export function writeDraft(
  userId: number,
  ticketId: number,
  changes: Partial<Draft> & Pick<Kept, 'isSaved' | 'saved'>,
  now = Date.now(),
) {
  const name = nameOf(userId, ticketId);
  const drafts = storedDrafts();
  const before = drafts[name]?.text ?? '';
  const isOther = changes.text !== undefined && changes.text !== before;
  const draft: Kept = {
    ...drafts[name],
    ...(isOther && { isSaved: false }),
    ...changes,
    at: isOther ? now : (drafts[name]?.at ?? now),
  };
  if (changes.isSaved) draft.saved = draft.text ?? '';
  if (!isKept(draft) && !drafts[name]) return;
  const kept = Object.entries({ ...drafts, [name]: draft })
    .filter(([, each]) => (isKept(each) || isUnsaved(each)) && now - each.at < MAX_AGE_MS)
    .sort(([, left], [, right]) => right.at - left.at)
    .slice(0, MAX_COUNT);
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  showDrafts(userId);
  if (isOther && changes.isSaved === undefined) onChange(userId, ticketId);
}

/** Called when the user has changed a text. */
let onChange: (userId: number, ticketId: number) => void = () => undefined;

export const onDraftChange = (handler: typeof onChange) => {
  onChange = handler;
};

/** The texts of a user's drafts by the ticket's id. */
export function draftTexts(userId: number): Map<number, Kept & { text: string }> {
  const prefix = nameOf(userId, 0).slice(0, -1);
  return new Map(
    Object.entries(storedDrafts())
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, draft]) => [
        Number(name.slice(prefix.length)),
        { ...draft, text: draft.text ?? '' },
      ]),
  );
}

/** Shows the beginnings of a user's drafts in the rows of the tickets. */
export function showDrafts(userId: number) {
  setDrafts(
    Object.fromEntries(
      [...draftTexts(userId)].flatMap(([ticketId, { text }]) =>
        text.trim() ? [[ticketId, text.trim().slice(0, BEGINNING)]] : [],
      ),
    ),
  );
}
