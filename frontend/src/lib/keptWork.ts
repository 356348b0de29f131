/** Prefix of the storage keys for data that exists in this browser only; the user's id follows. */
export const KEPT_WORK = 'tasks:';

/** Empties the browser's storage except for data that exists nowhere else (rules/screens §7). */
export function clearStorage() {
  const kept = Object.entries(localStorage).filter(([key]) => key.startsWith(KEPT_WORK));
  localStorage.clear();
  for (const [key, value] of kept) localStorage.setItem(key, String(value));
}
