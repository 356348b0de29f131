import { expect, test } from 'vitest';
import { i18n } from '@/i18n';
import { system } from '@/theme';
import { EDGES, PRIORITIES } from './priority';

/** The hue in degrees and the saturation, 0 to 1, of the colour on a light page. */
function lookOf(token: string): [number, number] {
  const { conditions } = system.tokens.getByName(`colors.${token}`)?.extensions ?? {};
  const { base } = conditions as { base: string };
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(base.slice(at, at + 2), 16),
  );
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  const hue =
    most === red
      ? (green - blue) / span
      : most === green
        ? 2 + (blue - red) / span
        : 4 + (red - green) / span;
  return [(hue * 60 + 360) % 360, span / most];
}

test('high is red, medium orange and low grey', () => {
  const [high, medium, low] = PRIORITIES.map((priority) => lookOf(EDGES[priority]));
  expect(high?.[0]).toBeLessThan(15);
  expect(medium?.[0]).toBeGreaterThan(20);
  expect(medium?.[0]).toBeLessThan(50);
  expect(low?.[1]).toBeLessThan(0.2);
});

test('a priority has its word', () => {
  const words = PRIORITIES.map((priority) => i18n.t(`announcements:priority.${priority}`));
  expect([PRIORITIES, words]).toEqual([
    [1, 2, 3],
    ['Alta', 'Média', 'Baixa'],
  ]);
});
