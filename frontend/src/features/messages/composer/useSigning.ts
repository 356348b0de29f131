import { useState } from 'react';

const KEY = 'signOption';

/** Whether texts are signed, on this computer; on until one says otherwise. */
export function useSigning(): [boolean, (signing: boolean) => void] {
  const [signing, setSigning] = useState(() => localStorage.getItem(KEY) !== 'false');
  return [
    signing,
    (changed) => {
      setSigning(changed);
      localStorage.setItem(KEY, String(changed));
    },
  ];
}
