import { useState } from 'react';
import type { Group } from './navigation';

const keyOf = (userId: number) => `foldedGroups:${userId}`;

/** The groups that a user left folded; what another version stored badly counts as none. */
export function storedFolds(userId: number): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/**
 * The folded groups of the drawer, kept for each user of this browser (rules/screens §1). Unknown
 * names stay stored: they belong to groups of another version.
 */
export function useFoldedGroups(userId: number) {
  const [folded, setFolded] = useState(() => storedFolds(userId));
  const toggle = (group: Group) => {
    // Another tab may have changed it.
    const now = storedFolds(userId);
    const next = now.includes(group) ? now.filter((each) => each !== group) : [...now, group];
    setFolded(next);
    localStorage.setItem(keyOf(userId), JSON.stringify(next));
  };
  return { folded, toggle };
}
