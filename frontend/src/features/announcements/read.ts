import { useSyncExternalStore } from 'react';
import { useCurrentUser } from '@/stores/session';
import type { Announcement } from './types';

/**
 * The number of remembered ids that were listed when the list was last open; the oldest are
 * dropped.
 */
const MOST = 500;
const keyOf = (userId: number) => `announcementsRead:${userId}`;
const listeners = new Set<() => void>();

function stored(key: string): string {
  return localStorage.getItem(key) ?? '[]';
}

function idsOf(text: string): number[] {
  try {
    const ids: unknown = JSON.parse(text);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : [];
  } catch {
    return [];
  }
}

function listen(changed: () => void) {
  listeners.add(changed);
  // Another tab may have opened the list.
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

/**
 * The number of announcements that are new since the list was last open, and a function that marks
 * all as seen.
 */
export function useUnread(rows: readonly Announcement[]): [number, () => void] {
  const key = keyOf(useCurrentUser().id);
  const text = useSyncExternalStore(listen, () => stored(key));
  const read = idsOf(text);
  const unread = rows.filter(({ id }) => !read.includes(id));
  const markRead = () => {
    if (unread.length === 0) return;
    const ids = [...unread.map(({ id }) => id), ...idsOf(stored(key))];
    localStorage.setItem(key, JSON.stringify([...new Set(ids)].slice(0, MOST)));
    listeners.forEach((changed) => changed());
  };
  return [unread.length, markRead];
}
