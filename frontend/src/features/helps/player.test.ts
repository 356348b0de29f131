import { expect, test } from 'vitest';
import { playerAddress, providerOf, watchAddress } from './player';

test('a film of YouTube is played without cookies', () => {
  expect(providerOf('dQw4w9WgXcQ')).toBe('youtube');
  expect(playerAddress('dQw4w9WgXcQ', 'pt-BR')).toBe(
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&hl=pt-BR',
  );
  expect(watchAddress('dQw4w9WgXcQ')).toBe('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
});

test('a film of Vimeo is played untracked, one that is not listed by its hash', () => {
  expect(providerOf('76979871')).toBe('vimeo');
  expect(playerAddress('76979871', 'pt-BR')).toBe(
    'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1',
  );
  expect(playerAddress('76979871/8272103f6e', 'pt-BR')).toBe(
    'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1&h=8272103f6e',
  );
  expect(watchAddress('76979871/8272103f6e')).toBe('https://vimeo.com/76979871/8272103f6e');
});

test('what is no code leads nowhere else', () => {
  expect(playerAddress('../x?a=b', 'en')).toContain('/embed/..%2Fx%3Fa%3Db?');
});
