/** WhatsApp's marks around a selection, by the usual shortcuts of editors. */

interface Selection {
  text: string;
  start: number;
  end: number;
}

interface Keys {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** The mark for a key combination: bold, italic, or struck through with Shift-X. */
export function markOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Keys): string | null {
  if (!(ctrlKey || metaKey) || altKey) return null;
  const letter = key.toLowerCase();
  if (shiftKey) return letter === 'x' ? '~' : null;
  return letter === 'b' ? '*' : letter === 'i' ? '_' : null;
}

/** Adds a mark around the selection, or removes it; the text stays selected. */
export function toggleMark({ text, start, end }: Selection, mark: string): Selection {
  const words = text.slice(start, end);
  const lead = words.length - words.trimStart().length;
  const trail = words.trim() ? words.length - words.trimEnd().length : 0;
  const from = start + (words.trim() ? lead : 0);
  const to = end - trail;
  if (text[from - 1] === mark && text[to] === mark)
    return {
      text: text.slice(0, from - 1) + text.slice(from, to) + text.slice(to + 1),
      start: from - 1,
      end: to - 1,
    };
  return {
    text: text.slice(0, from) + mark + text.slice(from, to) + mark + text.slice(to),
    start: from + 1,
    end: to + 1,
  };
}
