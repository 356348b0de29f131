/** WhatsApp's marks, addresses and line breaks of a text, as a tree. */

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'bold' | 'italic' | 'strike'; children: Node[] }
  | { kind: 'mono'; text: string }
  | { kind: 'link'; text: string; href: string };

const MARKS = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

// In this order: code is left alone, an address may hold marks, a mark needs a word's edge on both
// sides and something between that does not begin or end with a space.
const PATTERN = new RegExp(
  [
    '```(?<mono>[\\s\\S]+?)```',
    '`(?<code>[^`\\n]+)`',
    '(?<link>\\b(?:https?:\\/\\/|www\\.)[^\\s<>"]+)',
    '(?<mail>\\b[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)',
    '(?<![\\p{L}\\p{N}])(?<mark>[*_~])(?=\\S)(?<marked>[^\\n]*?\\S)\\k<mark>(?![\\p{L}\\p{N}])',
  ].join('|'),
  'u',
);

/** What follows an address in a sentence and is not part of it. */
const TRAILING = /[.,;:!?'"*_~)\]]+$/;

export function parseMarkup(text: string): Node[] {
  const nodes: Node[] = [];
  const addText = (plain: string) => {
    if (plain) nodes.push({ kind: 'text', text: plain });
  };
  let rest = text;
  for (let match = PATTERN.exec(rest); match; match = PATTERN.exec(rest)) {
    addText(rest.slice(0, match.index));
    const { mono, code, link, mail, mark, marked } = match.groups ?? {};
    let end = match.index + match[0].length;
    if (mono !== undefined || code !== undefined) {
      nodes.push({ kind: 'mono', text: mono ?? code ?? '' });
    } else if (link) {
      const address = withoutTrailing(link);
      end -= link.length - address.length;
      const href = address.startsWith('www.') ? `https://${address}` : address;
      nodes.push({ kind: 'link', text: address, href });
    } else if (mail) {
      nodes.push({ kind: 'link', text: mail, href: `mailto:${mail}` });
    } else {
      const kind = MARKS[mark as keyof typeof MARKS];
      nodes.push({ kind, children: parseMarkup(marked ?? '') });
    }
    rest = rest.slice(end);
  }
  addText(rest);
  return nodes;
}

function withoutTrailing(link: string): string {
  const address = link.replace(TRAILING, '');
  // A bracket that was opened inside the address belongs to it.
  return address.includes('(') && link[address.length] === ')' ? `${address})` : address;
}

/** The words without their marks, for one-line previews. */
export const plainText = (text: string): string =>
  parseMarkup(text)
    .map((node) =>
      'children' in node ? plainText(node.children.map(textOf).join('')) : textOf(node),
    )
    .join('')
    .replace(/\s+/g, ' ');

/** A sent text without the name in bold that signs it: in a preview the row says whose it is. */
export const withoutSignature = (text: string): string =>
  text.replace(/^\*[^*\n]{1,60}:\*\s+(?=\S)/u, '');

const textOf = (node: Node): string =>
  'children' in node ? node.children.map(textOf).join('') : node.text;

const PICTURE = '\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})*';
const EMOJI = `(?:\\p{Regional_Indicator}{2}|${PICTURE}(?:\\u200D${PICTURE})*)`;
const ONLY_EMOJI = new RegExp(`^\\s*(?:${EMOJI}\\s*){1,3}$`, 'u');

/** Up to three emoji and nothing else are shown big. */
export const isOnlyEmoji = (text: string) => ONLY_EMOJI.test(text);
