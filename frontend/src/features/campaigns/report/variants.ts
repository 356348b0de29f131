import type { Variant } from './types';

/** A share in per cent, rounded. */
export const shareOf = (part: number, whole: number) => Math.round((part / whole) * 100);

/**
 * Each text must have reached this many recipients before one is called better: with fewer, the
 * difference may be chance.
 */
export const ENOUGH = 30;

const rate = ({ answered, delivered }: Variant) => answered / delivered;

/**
 * Whether a share is above another by more than their uncertainty (two standard errors of both).
 */
function isClearlyAbove(one: Variant, other: Variant): boolean {
  const spread = [one, other].reduce(
    (sum, each) => sum + (rate(each) * (1 - rate(each))) / each.delivered,
    0,
  );
  return rate(one) - rate(other) > 2 * Math.sqrt(spread);
}

/** The number of the text with the most answers, if the difference is significant; else null. */
export function bestOf(variants: readonly Variant[]): number | null {
  if (variants.length < 2 || variants.some(({ delivered }) => delivered < ENOUGH)) return null;
  const [first, ...others] = [...variants].sort((one, other) => rate(other) - rate(one));
  return first && others.every((other) => isClearlyAbove(first, other)) ? first.number : null;
}
