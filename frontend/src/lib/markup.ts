/** A text with WhatsApp's marks, addresses and line breaks as a tree. */

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Node[] }
  | { kind: 'mono'; text: string }
  | { kind: 'link'; text: string; href: string };

const MARKS: Partial<Record<string, 'bold' | 'italic' | 'strike'>> = {
  '*': 'bold',
  _: 'italic',
  '~': 'strike',
};
/** Bold, italic and struck: deeper nesting adds nothing. */
const DEEPEST = 3;
/**
 * Each mark becomes an element. Only an attack has thousands of marks in one text, so the rest
 * stays plain.
 */
export const MOST_MARKS = 1000;

const WORD = /\w/;
const LOCAL = /[\w.+-]/;
const LABEL = /[\w-]/;
const BLANK = /\s/;
const ENDS_ADDRESS = /[\s<>"]/;
/** Punctuation after an address in a sentence, which is not part of the address. */
const TRAILING = /[.,;:!?'"*_~)\]]/;
const LETTER = /^[\p{L}\p{N}]/u;
const PREFIXES = ['https://', 'http://', 'www.'];

interface Found {
  node: Node;
  end: number;
}

/**
 * Parses a text from left to right in linear time: customers write texts of 65,536 characters. Each
 * look-ahead is remembered and never repeated, so no regular expression runs over more than one
 * character.
 */
export function parseMarkup(text: string, depth = 0, marks = { left: MOST_MARKS }): Node[] {
  const nodes: Node[] = [];
  // A word may begin directly after the last parsed node.
  let start = 0;

  const is = (kind: RegExp, at: number) => at < text.length && kind.test(text.charAt(at));
  const isEdge = (at: number) => (at > start && is(WORD, at - 1)) !== is(WORD, at);
  const isLetter = (at: number) =>
    at < text.length && LETTER.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
  const follows = (at: number) => {
    const isPair = at - 2 >= start && /[\uDC00-\uDFFF]/.test(text.charAt(at - 1));
    return at > start && isLetter(at - (isPair ? 2 : 1));
  };
  /** Returns the end of a run of matching characters. */
  const skip = (kind: RegExp, from: number) => {
    let at = from;
    while (is(kind, at)) at += 1;
    return at;
  };
  /**
   * Returns a cached search for the next place; with places that only grow, it reads the text once.
   */
  const ahead = (find: (from: number) => number) => {
    let found = -1;
    return (from: number) => {
      if (found < from) found = find(from);
      return found;
    };
  };
  const next = (words: string) =>
    ahead((from) => {
      const at = text.indexOf(words, from);
      return at < 0 ? Infinity : at;
    });
  const nextFence = next('```');
  const nextTick = next('`');
  const nextLine = next('\n');
  const nextClosing = Object.fromEntries(
    Object.keys(MARKS).map((mark) => [
      mark,
      ahead((from) => {
        for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1))
          if (!is(BLANK, at - 1) && !isLetter(at + 1)) return at;
        return Infinity;
      }),
    ]),
  );

  // The order matters: code has no marks inside and an address may contain marks. A mark needs a
  // word boundary on both sides and content that does not begin or end with a space.
  function code(at: number): Found | undefined {
    if (text.charAt(at) !== '`') return undefined;
    if (text.startsWith('```', at)) {
      const end = nextFence(at + 4);
      if (end < Infinity)
        return { node: { kind: 'mono', text: text.slice(at + 3, end) }, end: end + 3 };
    }
    const end = nextTick(at + 1);
    if (end === Infinity || end === at + 1 || nextLine(at + 1) < end) return undefined;
    return { node: { kind: 'mono', text: text.slice(at + 1, end) }, end: end + 1 };
  }

  function link(at: number): Found | undefined {
    const prefix = isEdge(at) ? PREFIXES.find((each) => text.startsWith(each, at)) : undefined;
    if (!prefix) return undefined;
    const least = at + prefix.length;
    let stop = least;
    while (stop < text.length && !is(ENDS_ADDRESS, stop)) stop += 1;
    let end = stop;
    while (end > least && is(TRAILING, end - 1)) end -= 1;
    if (end === least) return undefined;
    // A closing bracket belongs to the address if it was opened inside it.
    const address = text.slice(at, end);
    if (end < stop && text.charAt(end) === ')' && address.includes('(')) end += 1;
    const words = text.slice(at, end);
    const href = prefix === 'www.' ? `https://${words}` : words;
    return { node: { kind: 'link', text: words, href }, end };
  }

  let noMailBefore = 0;
  function mail(at: number): Found | undefined {
    if (at < noMailBefore || !is(LOCAL, at) || !isEdge(at)) return undefined;
    const sign = skip(LOCAL, at);
    // Another start in the same run would end at the same place.
    noMailBefore = sign;
    if (text.charAt(sign) !== '@') return undefined;
    const host = skip(LABEL, sign + 1);
    let end = host;
    while (end > sign + 1 && text.charAt(end) === '.' && is(LABEL, end + 1))
      end = skip(LABEL, end + 1);
    if (end === host) return undefined;
    const words = text.slice(at, end);
    return { node: { kind: 'link', text: words, href: `mailto:${words}` }, end };
  }

  function marked(at: number): Found | undefined {
    const mark = text.charAt(at);
    const kind = MARKS[mark];
    if (!kind || depth >= DEEPEST || follows(at)) return undefined;
    if (at + 1 >= text.length || is(BLANK, at + 1)) return undefined;
    const end = nextClosing[mark]?.(at + 2) ?? Infinity;
    if (end === Infinity || nextLine(at + 1) < end) return undefined;
    return {
      node: { kind, children: parseMarkup(text.slice(at + 1, end), depth + 1, marks) },
      end: end + 1,
    };
  }

  const addText = (end: number) => {
    if (end > start) nodes.push({ kind: 'text', text: text.slice(start, end) });
  };
  for (let at = 0; at < text.length && marks.left > 0;) {
    const found = code(at) ?? link(at) ?? mail(at) ?? marked(at);
    if (found) {
      addText(at);
      nodes.push(found.node);
      marks.left -= 1;
      at = start = found.end;
    } else {
      at += 1;
    }
  }
  addText(text.length);
  return nodes;
}

/** The text without its marks, for one-line previews. */
export const plainText = (text: string): string =>
  parseMarkup(text).map(textOf).join('').replace(/\s+/g, ' ');

/**
 * A sent text without the bold signature at its beginning: in a preview the row already names the
 * sender.
 */
export const withoutSignature = (text: string): string =>
  text.replace(/^\*[^*\n]{1,60}:\*\s+(?=\S)/u, '');

const textOf = (node: Node): string =>
  'children' in node ? node.children.map(textOf).join('') : node.text;

const PICTURE = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})*';
const EMOJI = `(?:\\p{Regional_Indicator}{2}|${PICTURE}(?:\\u200D${PICTURE})*)`;
const ONLY_EMOJI = new RegExp(`^\\s*(?:${EMOJI}\\s*){1,3}$`, 'u');

/** Up to three emoji and nothing else are shown big. */
export const isOnlyEmoji = (text: string) => ONLY_EMOJI.test(text);
