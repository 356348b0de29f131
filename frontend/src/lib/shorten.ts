/** A long message shows only its beginning: about two phone screens. */
const SHOWN_LETTERS = 2000;
const SHOWN_LINES = 40;
/** A shorter remainder is shown at once: it is not worth a press. */
const SPARED_LETTERS = 500;
const SPARED_LINES = 10;
/** A word is not cut unless it is longer than this. */
const LONGEST_WORD = 100;

/** The index after the nth line, or the end of the text. */
function afterLines(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

/** How many characters of a text to show at first: all, unless the remainder is long. */
export function shortLength(text: string): number {
  const isLong =
    text.length > SHOWN_LETTERS + SPARED_LETTERS ||
    afterLines(text, SHOWN_LINES + SPARED_LINES) < text.length;
  if (!isLong) return text.length;
  const end = Math.min(SHOWN_LETTERS, afterLines(text, SHOWN_LINES));
  for (let at = end; at > 0 && at > end - LONGEST_WORD; at -= 1)
    if (/\s/.test(text.charAt(at))) return at;
  // Do not cut a surrogate pair in half.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
