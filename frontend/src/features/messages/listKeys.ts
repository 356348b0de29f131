/** Keyboard navigation in the messages: arrow keys move between them, Enter opens the menu. */

interface Key {
  key: string;
  shiftKey: boolean;
  currentTarget: EventTarget;
}

const isOpener = ({ key, shiftKey }: Key) =>
  key === 'Enter' || key === ' ' || key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** Handles a key; returns whether it did anything. */
export function moveFocus(target: EventTarget, key: Key): boolean {
  if (!(target instanceof HTMLElement) || !(key.currentTarget instanceof HTMLElement)) return false;
  const rows = [...key.currentTarget.querySelectorAll<HTMLElement>('[data-message]')];
  const index = rows.indexOf(target);
  const step = key.key === 'ArrowUp' ? -1 : key.key === 'ArrowDown' ? 1 : 0;
  if (index < 0) {
    // If the list itself has the focus, an arrow key starts at the last visible message.
    if (step === 0 || target.getAttribute('role') !== 'log') return false;
    const { bottom } = target.getBoundingClientRect();
    const seen = rows.findLast((row) => row.getBoundingClientRect().top < bottom);
    seen?.focus();
    return seen !== undefined;
  }
  if (isOpener(key)) {
    target.querySelector<HTMLElement>('[data-options]')?.click();
    return true;
  }
  if (step === 0) return false;
  const next = rows[index + step];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
