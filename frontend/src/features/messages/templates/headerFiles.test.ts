import { expect, test } from 'vitest';
import { HEADER_FILES } from './useHeaderFile';

test('a header takes pictures as PNG or JPEG, documents as PDF and films as MP4', () => {
  const taken = Object.fromEntries(
    Object.entries(HEADER_FILES).map(([kind, { accept }]) => [kind, accept]),
  );
  expect(taken).toEqual({ image: '.png,.jpg,.jpeg', document: '.pdf', video: '.mp4' });
});
