import { useMemo, useSyncExternalStore } from 'react';
import { KEPT_WORK } from '@/lib/keptWork';
import { useCurrentUser } from '@/stores/session';
import { tasksOf, type Tasks } from './list';

const listeners = new Set<() => void>();

function listen(changed: () => void) {
  listeners.add(changed);
  // Another tab may change the list.
  window.addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    window.removeEventListener('storage', changed);
  };
}

/**
 * The signed-in user's list in this browser, and a function that changes it.
 *
 * The change is applied to the currently stored list, so that tabs do not overwrite each other's
 * changes. If the browser's storage is full or forbidden, it throws the browser's error and the
 * list stays as it was.
 */
export function useTasks(): [Tasks, (edit: (tasks: Tasks) => Tasks) => void] {
  const key = `${KEPT_WORK}${useCurrentUser().id}`;
  const stored = useSyncExternalStore(listen, () => localStorage.getItem(key));
  const tasks = useMemo(() => tasksOf(stored), [stored]);
  const change = (edit: (tasks: Tasks) => Tasks) => {
    localStorage.setItem(key, JSON.stringify(edit(tasksOf(localStorage.getItem(key)))));
    listeners.forEach((changed) => changed());
  };
  return [tasks, change];
}
