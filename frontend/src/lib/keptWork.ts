/** Prefix of the storage keys of to-do lists; the user's id follows. */
export const KEPT_WORK = 'tasks:';

/** Prefix of the storage keys of messages that the server does not have yet. */
export const KEPT_UNSENT = 'unsent:';

const KEPT = [KEPT_WORK, KEPT_UNSENT];

/** Empties the browser's storage except for data that exists nowhere else (rules/screens §7). */
export function clearStorage() {
  const kept = Object.entries(localStorage).filter(([key]) =>
    KEPT.some((prefix) => key.startsWith(prefix)),
  );
  localStorage.clear();
  for (const [key, value] of kept) localStorage.setItem(key, String(value));
}
