import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useShortcuts } from './useShortcuts';

const heard = vi.fn();

function Page() {
  const shortcut = (name: string) => () => heard(name) as unknown;
  useShortcuts(
    Object.fromEntries(
      ['t', 'Escape', 'alt+ArrowDown', 'mod+k'].map((name) => [name, shortcut(name)]),
    ),
  );
  return <textarea aria-label="Texto" />;
}

beforeEach(() => {
  heard.mockReset();
  // jsdom draws nothing.
  Element.prototype.getClientRects = () => [new DOMRect()] as unknown as DOMRectList;
});
afterEach(cleanup);

const pressed = () => heard.mock.calls.flat() as string[];
const KEYS = 't{Escape}{Alt>}{ArrowDown}{/Alt}{Control>}k{/Control}';

test('letters are keys on the page and text where one types; what writes nothing is always a key', async () => {
  render(<Page />);
  const user = userEvent.setup();
  await user.keyboard(KEYS);
  expect(pressed()).toEqual(['t', 'Escape', 'alt+ArrowDown', 'mod+k']);
  heard.mockReset();
  await user.click(screen.getByLabelText('Texto'));
  await user.keyboard(KEYS);
  expect(pressed()).toEqual(['Escape', 'alt+ArrowDown', 'mod+k']);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Texto').value).toBe('t');
});

test('a dialog has the keyboard to itself, the key that closes it too', async () => {
  render(<Page />);
  const dialog = document.createElement('div');
  dialog.setAttribute('role', 'dialog');
  document.body.append(dialog);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && dialog.remove(), {
    capture: true,
    once: false,
  });
  await userEvent.keyboard(KEYS.slice(0, 1));
  await userEvent.keyboard('{Escape}');
  expect(dialog.isConnected).toBe(false);
  expect(pressed()).toEqual([]);
  await userEvent.keyboard('t');
  expect(pressed()).toEqual(['t']);
});

test('a key that is not wanted is left to others', async () => {
  heard.mockReturnValue(false);
  const other = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  render(<Page />);
  document.addEventListener('keydown', other, { once: true });
  await userEvent.keyboard('t');
  expect(other).toHaveReturnedWith(false);
});
