import { useState } from 'react';
import { nameKey } from './form';
import type { NamedKind } from './types';
import type { Names } from './useWords';

/** Notes the names of rows that were chosen just now. */
export type LearnNames = (kind: NamedKind, names: ReadonlyMap<number, string>) => void;

/** The names that a sentence knows: those of the stored row, and of what is chosen meanwhile. */
export function useLearned(stored: Names): [Names, LearnNames] {
  const [names, setNames] = useState(stored);
  const learn: LearnNames = (kind, found) =>
    setNames(
      (known) => new Map([...known, ...[...found].map(([id, name]) => entry(kind, id, name))]),
    );
  return [names, learn];
}

const entry = (kind: NamedKind, id: number, name: string): [string, string] => [
  nameKey(kind, id),
  name.replace(/^\//, ''),
];
