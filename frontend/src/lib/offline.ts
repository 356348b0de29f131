/**
 * Has the browser keep the notice that stands in the place of a page while the server cannot be
 * reached (`public/sw.js`). Without a secure address browsers keep nothing, and show their own.
 */
export function keepOfflineNotice() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  window.addEventListener('load', () => {
    // Refused by a setting of the browser: all else works without it.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
}
