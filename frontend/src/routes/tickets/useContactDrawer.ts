import { useMediaQuery } from '@chakra-ui/react';
import { useCallback, useState } from 'react';
import { useUi } from '@/stores/ui';

const KEY = 'contactDrawer';
/**
 * The width from which list, conversation and contact fit side by side, with the collapsed menu and
 * with the expanded one.
 */
const BESIDE = '(min-width: 1200px)';
const BESIDE_MENU = '(min-width: 1340px)';

/**
 * Whether and how the contact is shown. Beside the conversation the state is kept for the next
 * visit; as a sheet over the page it opens only on demand.
 */
export function useContactDrawer() {
  const menu = useUi((ui) => ui.drawerExpanded);
  const [beside = false] = useMediaQuery([menu ? BESIDE_MENU : BESIDE], { ssr: false });
  const [isKept, setKept] = useState(() => localStorage.getItem(KEY) === 'open');
  const [sheetOf, setSheetOf] = useState<number | null>(null);
  const isOpen = useCallback(
    (ticketId: number) => (beside ? isKept : sheetOf === ticketId),
    [beside, isKept, sheetOf],
  );
  const set = useCallback(
    (ticketId: number, open: boolean) => {
      if (!beside) {
        setSheetOf(open ? ticketId : null);
        return;
      }
      localStorage.setItem(KEY, open ? 'open' : 'closed');
      setKept(open);
    },
    [beside],
  );
  return { beside, isOpen, set };
}
