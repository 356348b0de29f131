import { chakra } from '@chakra-ui/react';
import { findFolded, foldText, type Span } from '@/lib/search';

interface HighlightProps {
  text: string;
  /** The search term as typed. */
  term: string;
  /** Finds the match; by default accents and case are ignored. */
  find?: (text: string, term: string) => Span | null;
}

/** A text with the first match of a search marked. */
export function Highlight({ text, term, find = findFolded }: HighlightProps) {
  const span = find(text, foldText(term));
  if (!span) return text;
  return (
    <>
      {text.slice(0, span.start)}
      <chakra.mark
        px="0.5"
        mx="-0.5"
        borderRadius="2px"
        bg="status.waiting.subtle"
        color="status.waiting.fg"
        fontWeight="semibold"
      >
        {text.slice(span.start, span.end)}
      </chakra.mark>
      {text.slice(span.end)}
    </>
  );
}

/** A row shows about forty characters, and the match must be among them. */
const LEAD = 18;

/** Cuts a text so that it begins shortly before the match, at the start of a word if possible. */
export function aroundHit(text: string, term: string): string {
  const span = findFolded(text, foldText(term));
  if (!span || span.start <= LEAD) return text;
  const word = text.indexOf(' ', span.start - LEAD);
  const start = word >= 0 && word < span.start ? word + 1 : span.start - LEAD;
  return `…${text.slice(start)}`;
}
