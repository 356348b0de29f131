/** Where the lines of a chart run: plain functions of its points and its size. */

import { formatDate, formatDateTime, formatTime, isSameDay } from '@/lib/format';
import type { TimelinePoint, TimelineUnit } from './types';

export const SERIES = ['delivered', 'read', 'answered'] as const;
export type Series = (typeof SERIES)[number];

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const STEPS = [1, 2, 5, 10];

/** From 0 in up to four equal whole steps to no less than the most. */
export function ticksOf(most: number): number[] {
  const least = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = Math.ceil((STEPS.find((each) => each * power >= least) ?? 10) * power);
  const count = Math.max(1, Math.ceil(Math.max(1, most) / step));
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}

export const mostOf = (points: readonly TimelinePoint[]) =>
  points.reduce((most, point) => Math.max(most, ...SERIES.map((series) => point[series])), 0);

/** A point's distance from the left; a single one stands in the middle. */
export function xOf({ width, left, right }: Frame, place: number, count: number): number {
  const room = width - left - right;
  return left + (count > 1 ? (place / (count - 1)) * room : room / 2);
}

export function yOf({ height, top, bottom }: Frame, value: number, most: number): number {
  const room = height - top - bottom;
  return top + room - (value / most) * room;
}

const short = (value: number) => String(Math.round(value * 10) / 10);

/** The line of one series as the path of an SVG. */
export function lineOf(
  points: readonly TimelinePoint[],
  series: Series,
  frame: Frame,
  most: number,
): string {
  return points
    .map((point, place) => {
      const x = short(xOf(frame, place, points.length));
      return `${place === 0 ? 'M' : 'L'}${x} ${short(yOf(frame, point[series], most))}`;
    })
    .join('');
}

/** The place of the point nearest to a distance from the left. */
export function nearest(frame: Frame, x: number, count: number): number {
  const room = frame.width - frame.left - frame.right;
  const share = room > 0 ? (x - frame.left) / room : 0;
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));
}

/** Places that get a label below the line: every so many of them, from the first on. */
export function labelledPlaces(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (most - 1)));
  return Array.from({ length: Math.ceil(count / step) }, (_, turn) => turn * step);
}

/** A moment in full, as it is read aloud and stands in the table. */
export const momentWords = (at: string, unit: TimelineUnit) =>
  unit === 'day' ? formatDate(at) : formatDateTime(at);

/** A moment below the line: the time alone where all is of one day. */
export function shortMoment(at: string, unit: TimelineUnit, points: readonly TimelinePoint[]) {
  const dayAndMonth = formatDate(at).slice(0, 5);
  if (unit === 'day') return dayAndMonth;
  const [first, last] = [points[0], points.at(-1)];
  if (first && last && isSameDay(first.at, last.at)) return formatTime(at);
  return `${dayAndMonth} ${formatTime(at)}`;
}
