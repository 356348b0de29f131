import { createContext } from 'react';
import { foldLetters } from '@/lib/search';

/** The search term in the conversation; '' while there is none. */
export const SearchedText = createContext('');

/** Each match becomes an element, so their number in one message is limited. */
export const MOST_HITS = 200;

interface Part {
  text: string;
  isHit: boolean;
}

/** Splits a text into matches and the text between them; ignores accents and case. */
export function partsOf(text: string, searched: string): Part[] {
  const wanted = foldLetters(searched).trim();
  if (!wanted) return [{ text, isHit: false }];
  // Folding may change the number of letters: each folded letter keeps its original index.
  let plain = '';
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    const plainLetter = foldLetters(letter);
    for (let index = 0; index < plainLetter.length; index += 1) places.push(at);
    plain += plainLetter;
    at += letter.length;
  }
  places.push(text.length);
  const parts: Part[] = [];
  const add = (from: number, to: number, isHit: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isHit });
  };
  let done = 0;
  let count = 0;
  for (
    let hit = plain.indexOf(wanted);
    hit >= 0 && count < MOST_HITS;
    hit = plain.indexOf(wanted, hit + wanted.length)
  ) {
    count += 1;
    const from = places[hit] ?? 0;
    // Up to the next letter, so that a combining accent stays with its letter.
    const to = places[hit + wanted.length] ?? text.length;
    add(done, from, false);
    add(from, to, true);
    done = to;
  }
  add(done, text.length, false);
  return parts;
}
