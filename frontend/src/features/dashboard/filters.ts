import { dateOf } from '@/lib/dates';

/** The periods that are offered, in days. */
export const PERIODS = [3, 7, 15, 30, 60, 90] as const;

export type FilterType = 'date' | 'period';

/** What the filters say; days are YYYY-MM-DD, '' is none. */
export interface Filters {
  type: FilterType;
  from: string;
  to: string;
  days: string;
}

/** What is asked of the server. */
export type Asked = Record<'date_from' | 'date_to' | 'days', string>;

/** Today on the clock of a zone. */
export const todayIn = (zone: string, now: Date = new Date()) =>
  // Canadians write days as we store them.
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);

/** The hour that it is on the clock of a zone, 'HH:00'. */
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

/** What is wrong with each date; one that is empty is open. */
export function faultsOf({ from, to }: Filters): { from: Fault; to: Fault } {
  const isWrong = (day: string) => day !== '' && dateOf(day) === null;
  if (isWrong(from) || isWrong(to))
    return { from: isWrong(from) ? 'noDay' : undefined, to: isWrong(to) ? 'noDay' : undefined };
  return { from: undefined, to: from && to && to < from ? 'reversed' : undefined };
}

/** What the filters ask for; null where they name nothing. */
export function askedOf({ from, to, days }: Filters): Asked | null {
  return from || to || days ? { date_from: from, date_to: to, days } : null;
}
