/** A long message shows its beginning: about two screens of a telephone. */
const SHOWN_LETTERS = 2000;
const SHOWN_LINES = 40;
/** So little more is not worth a press. */
const SPARED_LETTERS = 500;
const SPARED_LINES = 10;
/** A word is not cut, unless it is as long as this. */
const LONGEST_WORD = 100;

/** The place behind the nth line, or the text's end. */
function afterLines(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

/** How many letters of a text are shown at first: all, unless many are left. */
export function shortLength(text: string): number {
  const isLong =
    text.length > SHOWN_LETTERS + SPARED_LETTERS ||
    afterLines(text, SHOWN_LINES + SPARED_LINES) < text.length;
  if (!isLong) return text.length;
  const end = Math.min(SHOWN_LETTERS, afterLines(text, SHOWN_LINES));
  for (let at = end; at > 0 && at > end - LONGEST_WORD; at -= 1)
    if (/\s/.test(text.charAt(at))) return at;
  // Half of a pair would be no letter.
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
