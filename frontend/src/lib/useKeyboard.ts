import { useEffect, useState } from 'react';
import { isTouch } from './useMedia';

/**
 * An on-screen keyboard covers more than this of the screen's height, in px; browser bars cover
 * less.
 */
const KEYBOARD_PX = 150;
/** A press elsewhere blurs the field before the press ends: its target must not move until then. */
const SETTLE_MS = 300;

const TEXT = 'textarea, input:not([type=checkbox], [type=radio], [type=file], [type=range])';

const isWriting = () => document.activeElement?.matches(TEXT) === true;

/**
 * Whether the on-screen keyboard is open: a field has the focus and the keyboard was not dismissed.
 */
export function useKeyboard(): boolean {
  const [isUp, setUp] = useState(false);
  useEffect(() => {
    let timer = 0;
    let covered = false;
    const look = () => {
      window.clearTimeout(timer);
      if (isWriting()) setUp(isTouch());
      else timer = window.setTimeout(() => setUp(isTouch() && isWriting()), SETTLE_MS);
    };
    const measure = () => {
      const { visualViewport } = window;
      if (!visualViewport) return;
      const before = covered;
      covered = window.innerHeight - visualViewport.height * visualViewport.scale > KEYBOARD_PX;
      // The keyboard was dismissed without leaving the field.
      if (before && !covered) setUp(false);
      else if (covered) look();
    };
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', look);
    window.visualViewport?.addEventListener('resize', measure);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', look);
      window.visualViewport?.removeEventListener('resize', measure);
    };
  }, []);
  return isUp;
}
