import { useEffectEvent, useLayoutEffect } from 'react';

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
const OVERLAY = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu]';

const isTyping = (target: EventTarget | null) =>
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

/** Keys that write nothing: they fire while one types too. */
const isNoText = (name: string) => /^(mod|alt)\+|^Escape$/.test(name);

const hasOverlay = () => [...document.querySelectorAll(OVERLAY)].some(isShown);

/**
 * Whether a key begins a text that nothing takes yet: a letter, figure or sign outside of what one
 * types in, where no dialog or menu is open. Not the space, which presses and scrolls, nor '?'.
 */
export function beginsText(event: KeyboardEvent): boolean {
  const isSign = event.key === 'Dead' || (event.key.length === 1 && !/[\s?]/.test(event.key));
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  return isSign && isPlain && !isTyping(event.target) && !hasOverlay();
}

/** Does what a key is for; false leaves the key to others. */
type Shortcut = (event: KeyboardEvent) => unknown;
type Shortcuts = Record<string, Shortcut | undefined>;

/**
 * Hears keys of the whole page while mounted. Letters never fire where one types; what writes
 * nothing ('mod+…', 'alt+…', Escape) does. Nothing fires while a dialog or menu is open.
 */
export function useShortcuts(shortcuts: Shortcuts) {
  const shortcutOf = useEffectEvent((name: string) => shortcuts[name]);
  // Before it is painted: keys work from the moment that the page is seen.
  useLayoutEffect(() => {
    // Asked before anyone else hears the key: the one that closes a dialog is the dialog's alone.
    let isCovered = false;
    const look = () => {
      isCovered = hasOverlay();
    };
    const hear = (event: KeyboardEvent) => {
      const name = keyName(event);
      const act = name === null ? undefined : shortcutOf(name);
      if (!name || !act || event.defaultPrevented || isCovered || hasOverlay()) return;
      // Text goes to where the focus is now, wherever the key was pressed.
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
