import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { isLostBy, useUnsaved } from './unsaved';

const lost = () =>
  (['PUSH', 'POP'] as const).flatMap((action) =>
    [true, false].map((isOtherPath) => isLostBy(action, isOtherPath)),
  );

test.each([
  ['dialog', [false, false, true, true]],
  ['page', [true, true, true, true]],
  ['path', [true, false, true, false]],
] as const)('what is begun in a %s is lost by what leaves it', (place, wanted) => {
  const { unmount } = renderHook(() => useUnsaved(true, place));
  expect(lost()).toEqual(wanted);
  unmount();
  expect(lost()).toEqual([false, false, false, false]);
});
