import type { KeyboardEvent } from 'react';
import type { VisibleNode } from './operations';
import type { Move, TreeCommands } from './useTree';

const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/**
 * Handles a key on a row, with the usual keys of trees; Alt with an arrow key moves the row itself.
 */
export function pressKey(
  event: KeyboardEvent<HTMLElement>,
  shown: readonly VisibleNode[],
  open: ReadonlySet<string>,
  commands: TreeCommands,
) {
  const key = event.currentTarget.dataset.key ?? '';
  // Ignore keys in the editor and on buttons.
  if (event.target !== event.currentTarget) return;
  const at = shown.findIndex(({ node }) => node.key === key);
  const row = shown[at];
  if (!row) return;
  const move = event.altKey ? MOVES[event.key] : undefined;
  const isOpen = row.node.children.length > 0 && open.has(key);
  const go = (to: VisibleNode | undefined) => {
    if (to) commands.focus(to.node.key);
  };
  if (move) commands.move(key, move);
  else if (event.altKey) return;
  else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) commands.undo();
  else if (event.ctrlKey || event.metaKey) return;
  else if (event.key === 'ArrowDown') go(shown[at + 1]);
  else if (event.key === 'ArrowUp') go(shown[at - 1]);
  else if (event.key === 'Home') go(shown[0]);
  else if (event.key === 'End') go(shown.at(-1));
  else if (event.key === 'ArrowRight') {
    if (isOpen) go(shown[at + 1]);
    else if (row.node.children.length > 0) commands.toggle(key, true);
  } else if (event.key === 'ArrowLeft') {
    if (isOpen) commands.toggle(key, false);
    else if (row.parentKey !== null) commands.focus(row.parentKey);
  } else if (event.key === 'Enter' || event.key === ' ' || event.key === 'F2') commands.edit(key);
  else if (event.key === 'Delete' || event.key === 'Backspace') commands.remove(key);
  else if (event.key === '+' || event.key === 'Insert') commands.addInside(key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}
