import { useSyncExternalStore } from 'react';

const KEY = 'signOption';

const hearers = new Set<() => void>();

function subscribe(hear: () => void) {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}

/** Whether texts are signed in this browser; on by default. */
export function useSigning(): [boolean, (signing: boolean) => void] {
  const signing = useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== 'false');
  return [
    signing,
    (changed) => {
      localStorage.setItem(KEY, String(changed));
      hearers.forEach((hear) => hear());
    },
  ];
}
