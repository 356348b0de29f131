import { useEffect, useRef } from 'react';

/** Where letters are text. */
const TYPING = [
  'input:not([type=checkbox], [type=radio], [type=range], [type=button])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=textbox]',
  '[role=combobox]',
  '[role=slider]',
].join(',');

/** What is open over the page has the keyboard to itself. */
const OVERLAY = '[role=dialog], [role=alertdialog], [role=menu]';

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest(TYPING) !== null;

const isShown = (element: Element) => element.getClientRects().length > 0;

/** The name of a pressed key: '/', 'j', 'Enter', 'mod+k' (Ctrl, or ⌘ on a Mac). */
function keyName(event: KeyboardEvent): string | null {
  if (event.altKey || event.isComposing) return null;
  const mod = event.ctrlKey || event.metaKey;
  if (mod) return event.shiftKey ? null : `mod+${event.key.toLowerCase()}`;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

type Shortcuts = Record<string, ((event: KeyboardEvent) => void) | undefined>;

/**
 * Hears keys of the whole page while mounted. Plain keys never fire where one types, nor while a
 * dialog or menu is open; those with 'mod' are no text, and fire while one types too.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const name = keyName(event);
      const act = name === null ? undefined : latest.current[name];
      if (!name || !act || event.defaultPrevented) return;
      if (!name.startsWith('mod+') && isTyping(event.target)) return;
      if ([...document.querySelectorAll(OVERLAY)].some(isShown)) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
