/** Where the bars of a chart stand: plain functions of their number and the chart's size. */

const STEPS = [1, 2, 4, 5, 8, 10];

/** From 0 in four equal whole steps to no less than the most. */
export function ticksOf(most: number): number[] {
  const least = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.ceil((STEPS.find((each) => each * power >= least) ?? 10) * power);
  return [0, 1, 2, 3, 4].map((place) => place * step);
}

/** Every so many labels have room in a width. */
export const labelStep = (count: number, width: number, labelWidth: number) =>
  Math.max(1, Math.ceil((count * labelWidth) / Math.max(1, width)));

/** The place of the bar under a distance from the left; null beside them. */
export function barAt(x: number, left: number, width: number, count: number): number | null {
  const place = Math.floor(((x - left) / width) * count);
  return place >= 0 && place < count ? place : null;
}

/** A bar with its upper corners rounded, as the path of an SVG. */
export function barPath(x: number, y: number, width: number, height: number): string {
  const radius = Math.min(3, width / 2, height);
  const right = x + width;
  return (
    `M${x} ${y + height}V${y + radius}Q${x} ${y} ${x + radius} ${y}` +
    `H${right - radius}Q${right} ${y} ${right} ${y + radius}V${y + height}Z`
  );
}
