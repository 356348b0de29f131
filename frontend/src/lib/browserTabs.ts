/**
 * Coordinates the tabs of one person: only one tab notifies, and never about a message that another
 * tab shows.
 */

export interface BrowserTabs {
  /** Whether this tab is the one that notifies. */
  tells: () => boolean;
  /** Tells the other tabs that this tab shows the message. */
  saw: (messageId: number) => void;
  /** Whether another tab has reported that it shows the message. */
  wasSeen: (messageId: number) => boolean;
  close: () => void;
}

/** The number of reported ids kept; a tab asks for one only within a second. */
const REMEMBERED = 200;

/** `name` identifies the subject of the notifications; each subject has its own lock. */
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
  // If the Web Locks API is missing (a page without TLS), every tab notifies.
  const locks = (navigator as { locks?: LockManager }).locks;
  let isFirst = !locks;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let isClosed = false;
  // The lock is held until the tab closes; then the next waiting tab gets it.
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
