/** What a person keeps in this browser alone begins with this; the user's id follows. */
export const KEPT_WORK = 'tasks:';

/** Empties the browser's storage, but for what exists nowhere else (rules/screens §7). */
export function clearStorage() {
  const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(KEPT_WORK));
  localStorage.clear();
  for (const [key, value] of kept) localStorage.setItem(key, String(value));
}
