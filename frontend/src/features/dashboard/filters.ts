import { addDays, dateOf, dayOf, todayIn } from '@/lib/dates';

/** The offered periods, in days. */
export const PERIODS = [3, 7, 15, 30, 60, 90] as const;

export type FilterType = 'date' | 'period';

/** The filters; days are YYYY-MM-DD, '' for none. */
export interface Filters {
  type: FilterType;
  from: string;
  to: string;
  days: string;
}

/** The query parameters for the server. */
export type Asked = Record<'date_from' | 'date_to' | 'days', string>;

/** The current hour in a time zone, 'HH:00'. */
export function hourIn(zone: string, now: Date = new Date()): string {
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(now);
  return `${hour.padStart(2, '0')}:00`;
}

/** From the first of the month to today. */
export function firstFilters(zone: string, now: Date = new Date()): Filters {
  const today = todayIn(zone, now);
  return { type: 'date', from: `${today.slice(0, 7)}-01`, to: today, days: '' };
}

/** Choosing dates sets the period to none, choosing a period empties both dates. */
export const withType = (filters: Filters, type: FilterType): Filters =>
  type === 'date' ? { ...filters, type, days: '' } : { ...filters, type, from: '', to: '' };

export type Fault = 'noDay' | 'reversed' | undefined;

/** The error of each date; an empty date is an open end. */
export function faultsOf({ from, to }: Filters): { from: Fault; to: Fault } {
  const isWrong = (day: string) => day !== '' && dateOf(day) === null;
  if (isWrong(from) || isWrong(to))
    return { from: isWrong(from) ? 'noDay' : undefined, to: isWrong(to) ? 'noDay' : undefined };
  return { from: undefined, to: from && to && to < from ? 'reversed' : undefined };
}

/** The first and the last day of a query; null if its beginning is open. */
export function daysOf(
  { date_from: from, date_to: to, days }: Asked,
  zone: string,
  now: Date = new Date(),
): { dateFrom: string; dateTo: string } | null {
  const today = todayIn(zone, now);
  const date = dateOf(today);
  const counted = days && date ? dayOf(addDays(date, 1 - Number(days))) : '';
  const dateFrom = counted > from ? counted : from;
  return dateFrom ? { dateFrom, dateTo: to || today } : null;
}

/** The query of the filters; null if they are empty. */
export function askedOf({ from, to, days }: Filters): Asked | null {
  return from || to || days ? { date_from: from, date_to: to, days } : null;
}
