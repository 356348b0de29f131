import { useEffectEvent, useLayoutEffect } from 'react';

/** Elements in which letters are text. */
const TYPING = [
  'input:not([type=checkbox], [type=radio], [type=range], [type=button])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=textbox]',
  '[role=combobox]',
  '[role=slider]',
].join(',');

/** Overlays, which receive the keyboard exclusively. */
const OVERLAY = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu]';

/** Whether letters are text where a key was pressed. */
export const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest(TYPING) !== null;

const isShown = (element: Element) => element.getClientRects().length > 0;

/** The name of a pressed key: '/', 'j', 'Enter', 'alt+ArrowUp', 'mod+k' (Ctrl, or ⌘ on a Mac). */
function keyName(event: KeyboardEvent): string | null {
  if (event.isComposing) return null;
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) return mod || event.shiftKey ? null : `alt+${event.key}`;
  if (mod) return event.shiftKey ? null : `mod+${event.key.toLowerCase()}`;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/** Keys that write no text: they also fire in a text field. */
const isNoText = (name: string) => /^(mod|alt)\+|^Escape$/.test(name);

/** Whether a dialog or menu receives the keyboard. */
export const hasOverlay = () => [...document.querySelectorAll(OVERLAY)].some(isShown);

/**
 * Whether a key begins a text that no field receives yet: a letter, digit or sign pressed outside
 * of text fields while no dialog or menu is open. Excludes the space, which presses and scrolls,
 * and '?'.
 */
export function beginsText(event: KeyboardEvent): boolean {
  const isSign = event.key === 'Dead' || (event.key.length === 1 && !/[\s?]/.test(event.key));
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isSign && isPlain && !isTyping(event.target) && !hasOverlay();
}

/** Handles a key; returning false leaves the key to other handlers. */
type Shortcut = (event: KeyboardEvent) => unknown;
type Shortcuts = Record<string, Shortcut | undefined>;

/**
 * Handles keys of the whole page while mounted. Letters never fire in a text field; keys that write
 * no text ('mod+…', 'alt+…', Escape) do. Nothing fires while a dialog or menu is open.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  const shortcutOf = useEffectEvent((name: string) => shortcuts[name]);
  // A layout effect: keys must work as soon as the page is visible.
  useLayoutEffect(() => {
    // Read in the capture phase, before any other handler: the key that closes a dialog must do
    // nothing else.
    let isCovered = false;
    const look = () => {
      isCovered = hasOverlay();
    };
    const hear = (event: KeyboardEvent) => {
      const name = keyName(event);
      const act = name === null ? undefined : shortcutOf(name);
      if (!name || !act || event.defaultPrevented || isCovered || hasOverlay()) return;
      // Text goes to the element that has the focus now, wherever the key was pressed.
      if (!isNoText(name) && (isTyping(event.target) || isTyping(document.activeElement))) return;
      if (act(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', look, true);
    document.addEventListener('keydown', hear);
    return () => {
      document.removeEventListener('keydown', look, true);
      document.removeEventListener('keydown', hear);
    };
  }, []);
}
