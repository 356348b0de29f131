import { createContext } from 'react';
import { foldLetters } from '@/lib/search';

/** What is searched for in the conversation; '' while nothing is. */
export const SearchedText = createContext('');

/** Each is an element: nobody looks for the thousandth in one message. */
export const MOST_HITS = 200;

interface Part {
  text: string;
  isHit: boolean;
}

/** A text in parts, those that are the searched words apart; accents and case ignored. */
export function partsOf(text: string, searched: string): Part[] {
  const wanted = foldLetters(searched).trim();
  if (!wanted) return [{ text, isHit: false }];
  // Folding may change how many letters there are: each folded one knows where it comes from.
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
    // Up to the next letter, so that a separate accent stays with its own.
    const to = places[hit + wanted.length] ?? text.length;
    add(done, from, false);
    add(from, to, true);
    done = to;
  }
  add(done, text.length, false);
  return parts;
}
