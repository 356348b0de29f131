import { render } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { useToastsBelow } from './toastPlace';

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
