/**
 * Registers the service worker (`public/sw.js`) that shows a notice if the server cannot be
 * reached. Without TLS browsers allow none and show their own notice.
 */
export function keepOfflineNotice() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  window.addEventListener('load', () => {
    // A browser setting may refuse it: everything else works without it.
    navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
}
