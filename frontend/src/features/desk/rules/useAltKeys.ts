import { useEffect, useEffectEvent } from 'react';
import { hasOverlay, isTyping } from '@/lib/useShortcuts';

/** On a Mac, Alt with a letter writes ç, or begins ~, ´, ^ and ¨. */
const writesLetter = ({ key }: KeyboardEvent) => key === 'Dead' || /^[à-ÿ]$/i.test(key);

/**
 * Hears Alt with a letter or digit, also in text fields, unless it writes a letter there; the
 * handler tells whether it has used the key. It goes by the place of the key, for Alt writes other
 * characters on a Mac.
 */
export function useAltKeys(onKey: (key: string) => boolean) {
  const act = useEffectEvent(onKey);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code) ?? [];
      const key = letter?.toLowerCase() ?? digit;
      if (!isPlain || key === undefined || event.repeat || event.isComposing) return;
      if (isTyping(event.target) && writesLetter(event)) return;
      if (!hasOverlay() && act(key)) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
