/** The data of a campaign's chart, and its labels of moments. */

import { formatDate, formatDateTime, formatTime, isSameDay } from '@/lib/format';
import type { TimelinePoint, TimelineUnit } from './types';

export const SERIES = ['delivered', 'read', 'answered'] as const;
export type Series = (typeof SERIES)[number];

/** A moment in full, for screen readers and the table. */
export const momentWords = (at: string, unit: TimelineUnit) =>
  unit === 'day' ? formatDate(at) : formatDateTime(at);

/** A moment on the axis: only the time if all points are on one day. */
export function shortMoment(at: string, unit: TimelineUnit, points: readonly TimelinePoint[]) {
  const dayAndMonth = formatDate(at).slice(0, 5);
  if (unit === 'day') return dayAndMonth;
  const [first, last] = [points[0], points.at(-1)];
  if (first && last && isSameDay(first.at, last.at)) return formatTime(at);
  return `${dayAndMonth} ${formatTime(at)}`;
}
