import { addDays, dateOf, dayOf, midnight } from '@/lib/dates';
import { formatDate } from '@/lib/format';
import { isStatus } from './schemas';
import type { ScheduleStatus } from './types';

/** Three calendar views, a list by day for narrow screens, and the table. */
const VIEWS = ['month', 'week', 'day', 'agenda', 'list'] as const;
export type View = (typeof VIEWS)[number];

export interface PageView {
  view: View;
  /** Midnight of a day in the shown period. */
  date: Date;
  status: ScheduleStatus | '';
}

/** The view of a URL; an invalid date means today. */
export function readView(params: URLSearchParams, narrow: boolean, now: Date): PageView {
  const named = VIEWS.find((view) => view === params.get('view'));
  const usual: View = narrow ? 'agenda' : 'month';
  const status = params.get('status');
  return {
    view: narrow && (named === 'week' || named === 'month') ? usual : (named ?? usual),
    date: dateOf(params.get('date')) ?? midnight(now),
    status: isStatus(status) ? status : '',
  };
}

const startOfWeek = (date: Date, firstDay: number) =>
  addDays(date, -((date.getDay() - firstDay + 7) % 7));

/** The period of a view; `end` is excluded. The month view shows whole weeks. */
export function rangeOf(view: View, date: Date, firstDay: number): { start: Date; end: Date } {
  if (view === 'day') return { start: midnight(date), end: addDays(date, 1) };
  if (view === 'week') {
    const start = startOfWeek(date, firstDay);
    return { start, end: addDays(start, 7) };
  }
  const first = new Date(date.getFullYear(), date.getMonth(), 1);
  if (view === 'agenda')
    return { start: first, end: new Date(date.getFullYear(), date.getMonth() + 1, 1) };
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0);
  return { start: startOfWeek(first, firstDay), end: addDays(startOfWeek(last, firstDay), 7) };
}

/** A day in the previous or next period of the view. */
export function step(view: View, date: Date, direction: 1 | -1): Date {
  if (view === 'day') return addDays(date, direction);
  if (view === 'week') return addDays(date, 7 * direction);
  return new Date(date.getFullYear(), date.getMonth() + direction, 1);
}

/**
 * For example 'novembro de 2026', '15 – 21 de nov. de 2026' or 'sábado, 21 de novembro de 2026'.
 */
export function titleOf(view: View, date: Date, language: string, firstDay: number): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options);
  if (view === 'day')
    return format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(date);
  if (view === 'week') {
    const { start, end } = rangeOf(view, date, firstDay);
    return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(
      start,
      addDays(end, -1),
    );
  }
  return format({ month: 'long', year: 'numeric' }).format(date);
}

/** A day's heading in the list by day: '27/11 sex'. */
export function agendaDay(date: Date, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' }).format(date);
  return `${formatDate(date).slice(0, 5)} ${weekday.replace('.', '')}`;
}

/** Groups rows by day, in order. */
export function byDay<Row extends { sendAt: string }>(
  rows: readonly Row[],
): { day: string; date: Date; rows: Row[] }[] {
  const days = new Map<string, { day: string; date: Date; rows: Row[] }>();
  for (const row of rows) {
    const moment = new Date(row.sendAt);
    const day = dayOf(moment);
    const group = days.get(day) ?? { day, date: midnight(moment), rows: [] };
    group.rows.push(row);
    days.set(day, group);
  }
  return [...days.values()].sort((left, right) => left.day.localeCompare(right.day));
}

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** The initial time of a new schedule (rules/schedules §1). */
export const inOneHour = (now: Date) => new Date(now.getTime() + HOUR_MS);

/** The initial time of a message scheduled by a click on a day; null for a past day. */
export function momentOnDay(day: Date, now: Date): Date | null {
  const today = midnight(now);
  if (day < today) return null;
  if (day.getTime() === today.getTime()) return inOneHour(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), MORNING);
}
