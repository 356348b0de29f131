import { useEffect, useEffectEvent } from 'react';
import { hasOverlay } from '@/lib/useShortcuts';

/**
 * Hears Alt with a letter or digit, also in text fields; the handler tells whether it has used the
 * key. It goes by the place of the key, for Alt writes other characters on a Mac.
 */
export function useAltKeys(onKey: (key: string) => boolean) {
  const act = useEffectEvent(onKey);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code) ?? [];
      const key = letter?.toLowerCase() ?? digit;
      if (!isPlain || key === undefined || event.repeat || event.isComposing) return;
      if (!hasOverlay() && act(key)) event.preventDefault();
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
