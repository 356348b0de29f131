import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { placeBefore, watchFocus } from './focus';

let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<main id="content" tabindex="-1"><button>Salvar</button></main>';
  stop = watchFocus();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const button = () => screen.getByRole('button');
const main = () => screen.getByRole('main');

/** Imitates the browser when the focused element is hidden without a DOM change. */
function hide(element: HTMLElement) {
  const visible = vi.spyOn(element, 'checkVisibility').mockReturnValue(false);
  element.blur();
  return visible;
}

it('takes the focus from what is hidden to what is nearest', () => {
  button().focus();
  hide(button());
  expect(document.activeElement).toBe(document.body);
  vi.advanceTimersByTime(1000);
  expect(document.activeElement).toBe(main());
});

it('gives it back to what was hidden for a while', async () => {
  button().focus();
  const visible = hide(button());
  vi.advanceTimersByTime(1000);
  visible.mockReturnValue(true);
  button().toggleAttribute('disabled', true);
  button().toggleAttribute('disabled', false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(document.activeElement).toBe(button());
});

it('waits for a page that cannot have it yet', () => {
  button().focus();
  const focus = vi.spyOn(main(), 'focus').mockImplementation(() => undefined);
  hide(button());
  vi.advanceTimersByTime(1000);
  expect(document.activeElement).toBe(document.body);
  focus.mockRestore();
  vi.advanceTimersByTime(1000);
  expect(document.activeElement).toBe(main());
});

it('leaves it nowhere when somebody clicks beside', () => {
  button().focus();
  button().blur();
  vi.advanceTimersByTime(1000);
  expect(document.activeElement).toBe(document.body);
});

it.each([
  ['nothing', () => undefined],
  ['the page', () => main().focus()],
])(
  'leads from a dialog to the button of the menu that opened it, as %s had the focus',
  (_, had) => {
    had();
    main().insertAdjacentHTML(
      'afterend',
      '<button id="more" aria-controls="actions">Mais</button>' +
        '<div role="menu" id="actions" tabindex="-1"></div>' +
        '<div role="dialog" tabindex="-1"></div>',
    );
    screen.getByRole('menu').focus();
    screen.getByRole('dialog').focus();
    screen.getByRole('menu').remove();
    expect(placeBefore(screen.getByRole('dialog'))?.id).toBe('more');
  },
);

it('leads back to the field that had the focus when a menu was clicked', () => {
  main().insertAdjacentHTML(
    'afterend',
    '<textarea id="text"></textarea><button aria-controls="actions">Mais</button>' +
      '<div role="menu" id="actions" tabindex="-1"></div>' +
      '<div role="dialog" tabindex="-1"></div>',
  );
  screen.getByRole('textbox').focus();
  screen.getByRole('menu').focus();
  screen.getByRole('dialog').focus();
  screen.getByRole('menu').remove();
  expect(placeBefore(screen.getByRole('dialog'))?.id).toBe('text');
});
