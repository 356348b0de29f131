/** Text folded for searching exactly as the server folds it: accents and case ignored. */

// Letters that lower-casing alone does not unify.
const SAME: Record<string, string> = { ß: 'ss', ẞ: 'ss', ς: 'σ' };
const MARKS = /\p{M}/gu;
const COMBINING = /\p{M}/u;

const foldLetter = (letter: string) =>
  (SAME[letter] ?? letter.toLowerCase()).normalize('NFKD').replace(MARKS, '');

/**
 * Lower case, without accents. Folds letter by letter: normalising a long run of combining marks
 * takes quadratic time.
 */
export const foldLetters = (text: string): string => Array.from(text, foldLetter).join('');

/** Lower case, without accents, each run of white space as one blank. */
export const foldText = (text: string): string => foldLetters(text).replace(/\s+/g, ' ').trim();

const WORD_LETTER = /[\p{L}\p{N}]/u;

/**
 * How well a name matches a typed text: 0 at its beginning, 1 at the beginning of a word, 2 inside
 * or word by word; null if it does not.
 */
export function nameRank(name: string, typed: string): 0 | 1 | 2 | null {
  const folded = foldText(name);
  const term = foldText(typed);
  if (folded.startsWith(term)) return 0;
  for (let at = folded.indexOf(term); at > 0; at = folded.indexOf(term, at + 1))
    if (!WORD_LETTER.test(folded[at - 1] ?? '')) return 1;
  return term.split(' ').every((word) => folded.includes(word)) ? 2 : null;
}

export interface Span {
  start: number;
  end: number;
}

/** The first match of a folded term in a text. `foldOne` may drop letters. */
function findBy(text: string, term: string, foldOne: (letter: string) => string): Span | null {
  if (!term) return null;
  const origins: Span[] = [];
  // Joined at the end: reading a growing string copies it each time.
  const pieces: string[] = [];
  let place = 0;
  for (const letter of text) {
    const piece = foldOne(letter);
    const end = place + letter.length;
    // A run of white space becomes one blank; a combining mark belongs to the letter before it.
    const repeats = piece === ' ' && pieces.at(-1) === ' ';
    const last = origins.at(-1);
    if ((repeats || COMBINING.test(letter)) && last) last.end = end;
    if (!repeats) {
      if (piece) pieces.push(piece);
      // One origin for all letters that one letter folds to: some fold to eighteen.
      const origin = { start: place, end };
      for (let count = 0; count < piece.length; count++) origins.push(origin);
    }
    place = end;
  }
  const found = pieces.join('').indexOf(term);
  const first = origins[found];
  const last = origins[found + term.length - 1];
  return found >= 0 && first && last ? { start: first.start, end: last.end } : null;
}

/** The first match of a folded term in a text. */
export const findFolded = (text: string, term: string): Span | null =>
  findBy(text, term, (letter) => (/\s/.test(letter) ? ' ' : foldLetter(letter)));

/** The first match of a term's digits in a phone number, however both are formatted. */
export function findDigits(phone: string, term: string): Span | null {
  if (/[^\d\s()+./-]/.test(term)) return null;
  const digits = term.replace(/\D/g, '');
  return findBy(phone, digits, (letter) => (/\d/.test(letter) ? letter : ''));
}
