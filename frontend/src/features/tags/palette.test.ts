import { expect, it } from 'vitest';
import { leastUsed, PALETTE } from './palette';
import { tagSchema } from './schemas';

it('starts with the first colour and goes on to those that fewest tags have', () => {
  const [first, second] = PALETTE;
  expect(leastUsed([])).toBe(first.value);
  expect(leastUsed([first.value.toLowerCase(), '#123456'])).toBe(second.value);
});

it.each(['#0F8EA3', 'fff', '#abcd', '0F8EA380'])('takes the colour %s', (color) => {
  expect(tagSchema.safeParse({ name: 'Nova', color, kanban: false }).success).toBe(true);
});

it.each([
  ['ab', '#0F8EA3', 'tags:nameShort'],
  ['   ', '#0F8EA3', 'tags:nameRequired'],
  ['Nova', '#12345', 'tags:colorInvalid'],
  ['Nova', 'azul', 'tags:colorInvalid'],
])('refuses the name %j with the colour %s', (name, color, message) => {
  const { error } = tagSchema.safeParse({ name, color, kanban: false });
  expect(error?.issues[0]?.message).toBe(message);
});
