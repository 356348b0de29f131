import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginsText, useShortcuts } from './useShortcuts';

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
  // jsdom has no layout.
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

test('keys work from the moment that the page is seen', async () => {
  const place = document.body.appendChild(document.createElement('div'));
  const seen = new Promise<void>((resolve) => {
    new MutationObserver(() => {
      place.dispatchEvent(new KeyboardEvent('keydown', { key: 't', bubbles: true }));
      resolve();
    }).observe(place, { childList: true });
  });
  // Like in a browser: nothing waits for effects.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const root = createRoot(place);
  root.render(<Page />);
  await seen;
  expect(pressed()).toEqual(['t']);
  root.unmount();
  place.remove();
  vi.unstubAllGlobals();
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

test('a letter that leads to where one types is text, there alone', async () => {
  render(<Page />);
  const field = screen.getByLabelText<HTMLTextAreaElement>('Texto');
  const lead = (event: KeyboardEvent) => {
    if (beginsText(event)) field.focus();
  };
  const region = document.createElement('div');
  region.tabIndex = 0;
  region.addEventListener('keydown', lead);
  document.body.append(region);
  region.focus();
  await userEvent.keyboard('t');
  expect(pressed()).toEqual([]);
  expect(document.activeElement).toBe(field);
  region.remove();
});

test.each([
  [{ key: 'r' }, true],
  [{ key: 'Á' }, true],
  [{ key: 'Dead' }, true],
  [{ key: ' ' }, false],
  [{ key: '?' }, false],
  [{ key: 'Enter' }, false],
  [{ key: 'c', ctrlKey: true }, false],
  [{ key: 'ArrowDown', altKey: true }, false],
])('%o begins a text: %s', (key, expected) => {
  expect(beginsText(new KeyboardEvent('keydown', key))).toBe(expected);
});
