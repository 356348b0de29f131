import { useMediaQuery } from '@chakra-ui/react';
import { useState } from 'react';
import { useUi } from '@/stores/ui';

const KEY = 'contactDrawer';
/** From these widths on list, conversation and contact stand side by side, with 240 px for the menu
 * or with its icons alone. */
const BESIDE = '(min-width: 1200px)';
const BESIDE_MENU = '(min-width: 1340px)';

/**
 * Whether the contact is shown, and how. Where it has a place of its own it stays as it was left,
 * on the next visit too; as a sheet over the page it opens when asked for alone.
 */
export function useContactDrawer() {
  const menu = useUi((ui) => ui.drawerExpanded);
  const [beside = false] = useMediaQuery([menu ? BESIDE_MENU : BESIDE], { ssr: false });
  const [isKept, setKept] = useState(() => localStorage.getItem(KEY) === 'open');
  const [sheetOf, setSheetOf] = useState<number | null>(null);
  return {
    beside,
    isOpen: (ticketId: number) => (beside ? isKept : sheetOf === ticketId),
    set: (ticketId: number, open: boolean) => {
      if (!beside) {
        setSheetOf(open ? ticketId : null);
        return;
      }
      localStorage.setItem(KEY, open ? 'open' : 'closed');
      setKept(open);
    },
  };
}
