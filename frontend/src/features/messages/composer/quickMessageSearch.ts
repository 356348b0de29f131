import type { QuickMessage } from '@/features/quickMessages/api';
import { plainText } from '@/lib/markup';
import { foldText } from '@/lib/search';

/** See rules/messages §9. */
const LABEL_LENGTH = 35;
const MAX_SUGGESTIONS = 50;

/** The search term of an input that begins with '/'; null for any other input. */
export const termOf = (text: string): string | null =>
  text.startsWith('/') && text.length > 1 && !text.includes('\n') ? text.slice(1) : null;

/**
 * A quick message's text in one line, truncated to 35 characters; `fill` fills in the variables.
 */
export function labelOf(
  { message, mediaName }: QuickMessage,
  fill: (text: string) => string = (text) => text,
): string {
  const line = plainText(fill(message)).replace(/\s+/g, ' ').trim() || (mediaName ?? '');
  const letters = Array.from(line);
  return letters.length > LABEL_LENGTH ? `${letters.slice(0, LABEL_LENGTH).join('')}…` : line;
}

/** The rank of a quick message for a term, smaller is better; null if it does not match. */
function rankOf({ shortcode, message, mediaName }: QuickMessage, term: string): number | null {
  const code = foldText(shortcode);
  if (code === term) return 0;
  if (code.startsWith(term)) return 1;
  if (code.includes(term)) return 2;
  return foldText(`${message} ${mediaName ?? ''}`).includes(term) ? 3 : null;
}

/**
 * The quick messages that match a term, best first: by shortcode, then by text. Ignores case and
 * accents.
 */
export function matching(
  quickMessages: readonly QuickMessage[],
  term: string,
): readonly QuickMessage[] {
  const wanted = foldText(term).replace(/^\/+/, '');
  if (!wanted) return quickMessages.slice(0, MAX_SUGGESTIONS);
  return quickMessages
    .flatMap((each) => {
      const rank = rankOf(each, wanted);
      return rank === null ? [] : [{ each, rank }];
    })
    .sort((left, right) => left.rank - right.rank)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ each }) => each);
}
