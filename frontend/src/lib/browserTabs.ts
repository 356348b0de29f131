/** Several tabs of one person: one of them tells, and none what another one is showing. */

export interface BrowserTabs {
  /** Whether this tab is the one that tells. */
  tells: () => boolean;
  /** Says to the others that this tab has the message before the person's eyes. */
  saw: (messageId: number) => void;
  /** Whether another tab said so. */
  wasSeen: (messageId: number) => boolean;
  close: () => void;
}

/** Messages that others saw are only asked for within a second. */
const REMEMBERED = 200;

/** `name` is that of what is told. */
export function openBrowserTabs(name: string): BrowserTabs {
  const seen = new Set<number>();
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'number') return;
    seen.add(data);
    for (const oldest of seen) {
      if (seen.size <= REMEMBERED) break;
      seen.delete(oldest);
    }
  });
  // Without locks (a page that is not served securely) every tab tells.
  const locks = (navigator as { locks?: LockManager }).locks;
  let isFirst = !locks;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let isClosed = false;
  // Held until the tab closes; then the next tab in line has it.
  void locks?.request(name, () => {
    isFirst = !isClosed;
    return isClosed ? undefined : left;
  });
  return {
    tells: () => isFirst,
    saw: (messageId) => channel?.postMessage(messageId),
    wasSeen: (messageId) => seen.has(messageId),
    close: () => {
      isClosed = true;
      leave();
      channel?.close();
    },
  };
}
