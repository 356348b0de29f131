import { render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useToastsBelow, useToastsBelowDialog } from './toastPlace';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Head() {
  const ref = useRef<HTMLDivElement>(null);
  useToastsBelow(ref);
  return <div ref={ref} />;
}

test('another head at the same place has nothing styled anew', async () => {
  let tell = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        tell = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  const { style } = document.documentElement;
  const { rerender, unmount } = render(<Head key="a" />);
  tell();
  expect(style.getPropertyValue('--toasts-top')).toBe('8px');

  const changes = [vi.spyOn(style, 'setProperty'), vi.spyOn(style, 'removeProperty')];
  rerender(<Head key="b" />);
  tell();
  await Promise.resolve();
  for (const change of changes) expect(change).not.toHaveBeenCalled();
  expect(style.getPropertyValue('--toasts-top')).toBe('8px');

  unmount();
  await Promise.resolve();
  expect(style.getPropertyValue('--toasts-top')).toBe('');
});

function DialogHead() {
  const ref = useRef<HTMLDivElement>(null);
  useToastsBelowDialog(ref);
  return <div ref={ref} data-dialog />;
}

/** Runs observers at once and sets the positions of the elements. */
function layOut(boxes: { page: DOMRect; dialog: DOMRect }, width: number) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly callback: () => void) {}
      observe() {
        queueMicrotask(this.callback);
      }
      disconnect() {}
    },
  );
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(width);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.hasAttribute('data-dialog') ? boxes.dialog : boxes.page;
  });
}

test('a dialog over the whole screen has notices below its head, and gives the place back', async () => {
  layOut({ page: new DOMRect(0, 56, 390, 60), dialog: new DOMRect(0, 0, 390, 60) }, 390);
  const { style } = document.documentElement;
  const top = () => style.getPropertyValue('--toasts-top');
  const { rerender, unmount } = render(<Head key="page" />);
  await Promise.resolve();
  expect(top()).toBe('124px');
  rerender(
    <>
      <Head key="page" />
      <DialogHead />
    </>,
  );
  await Promise.resolve();
  expect(top()).toBe('68px');
  rerender(<Head key="page" />);
  await Promise.resolve();
  expect(top()).toBe('124px');
  unmount();
  await Promise.resolve();
  expect(top()).toBe('');
});

test('a dialog in the middle of a large screen leaves notices where they are', async () => {
  layOut({ page: new DOMRect(), dialog: new DOMRect(562, 24, 796, 60) }, 1920);
  const { unmount } = render(<DialogHead />);
  await Promise.resolve();
  expect(document.documentElement.style.getPropertyValue('--toasts-top')).toBe('');
  unmount();
});
