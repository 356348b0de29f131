const FIRST_MS = 500;
const MOST_MS = 15_000;

/**
 * Loads something and retries after each failure, with an exponential back-off and at once when the
 * browser is online again. `onFailure` is called per failure.
 */
export async function untilItComes<Loaded>(
  load: () => Promise<Loaded>,
  onFailure?: () => void,
): Promise<Loaded> {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, MOST_MS)) {
    try {
      return await load();
    } catch {
      onFailure?.();
      await timeOrConnection(wait);
    }
  }
}

function timeOrConnection(ms: number) {
  return new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    window.addEventListener('online', go);
  });
}
