import type { Variant } from './types';

/** A part in whole per cent. */
export const shareOf = (part: number, whole: number) => Math.round((part / whole) * 100);

/** So many must have got each text before one is called better: below that chance decides. */
export const ENOUGH = 30;

const rate = ({ answered, delivered }: Variant) => answered / delivered;

/** A share and its uncertainty do not overlap with another's (two standard errors of both). */
function isClearlyAbove(one: Variant, other: Variant): boolean {
  const spread = [one, other].reduce(
    (sum, each) => sum + (rate(each) * (1 - rate(each))) / each.delivered,
    0,
  );
  return rate(one) - rate(other) > 2 * Math.sqrt(spread);
}

/** The number of the text that is answered most, where that is more than chance; else null. */
export function bestOf(variants: readonly Variant[]): number | null {
  if (variants.length < 2 || variants.some(({ delivered }) => delivered < ENOUGH)) return null;
  const [first, ...others] = [...variants].sort((one, other) => rate(other) - rate(one));
  return first && others.every((other) => isClearlyAbove(first, other)) ? first.number : null;
}
