import { addDays, dateOf, dayOf, isDay } from '@/lib/dates';
import type { SessionUser } from '@/lib/api/types';
import { may } from '@/lib/permissions';
import { paths } from '@/routes/paths';

export const TABS = ['summary', 'conversations', 'activity'] as const;
export type Tab = (typeof TABS)[number];

export const BANDS = ['1m', '5m', '15m', '1h', '4h', '24h', 'more', 'never'] as const;
export const STATES = ['waiting', 'open', 'resolved'] as const;
export const RATINGS = ['3', '2', '1', 'any', 'unanswered'] as const;

/** What every tab may be narrowed by. */
export const DAYS = ['dateFrom', 'dateTo', 'userId'] as const;
/** What figures may be narrowed by as well. */
const BASE = [...DAYS, 'queueId', 'connectionId', 'tagId', 'clock'] as const;
/** What a figure narrows the list by. */
export const NARROW = [
  'state',
  'band',
  'weekday',
  'hour',
  'rating',
  'reason',
  'withoutReason',
  'accepted',
  'answered',
  'workedBy',
] as const;
const NAMES = [...BASE, ...NARROW] as const;

/** Whose conversations and days the user reports on (rules/reports §7). */
export function reachOf(user: Pick<SessionUser, 'granted'>): 'own' | 'queue' | 'all' {
  if (may(user, 'reports:all')) return 'all';
  return may(user, 'reports:queue') ? 'queue' : 'own';
}

/** The filters as the address has them; '' for none. */
export type Search = Record<(typeof NAMES)[number], string>;

export function searchOf(params: URLSearchParams = new URLSearchParams()): Search {
  return Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as Search;
}

export function tabOf(params: URLSearchParams): Tab {
  const wanted = params.get('tab');
  return TABS.find((tab) => tab === wanted) ?? 'summary';
}

/** The parameters for the server, without what is empty and days that are not yet typed. */
function asked(search: Search, names: readonly (keyof Search)[]): Record<string, string> {
  return Object.fromEntries(
    names
      .map((name) => [name, search[name]] as const)
      .filter(([name, value]) => value && (!name.startsWith('date') || isDay(value))),
  );
}

export const askedFigures = (search: Search) => asked(search, BASE);
export const askedConversations = (search: Search) => asked(search, NAMES);
/** A day is always somebody's: the choice of conversations without a person is left out. */
export const askedActivity = ({ userId, ...search }: Search) =>
  asked({ ...search, userId: userId === '0' ? '' : userId }, DAYS);

/** The address of the conversations behind a figure. */
export function conversationsPath(search: Search, narrow: Partial<Search>): string {
  const params = new URLSearchParams({
    tab: 'conversations',
    ...asked({ ...search, ...Object.fromEntries(NARROW.map((name) => [name, ''])) }, BASE),
    ...narrow,
  });
  return `${paths.reports}?${params.toString()}`;
}

export const PERIODS = ['today', 'yesterday', '7', '30', '90', 'month', 'lastMonth'] as const;
export type Period = (typeof PERIODS)[number];

type Days = Pick<Search, 'dateFrom' | 'dateTo'>;

/** The days of a period; `today` is YYYY-MM-DD. */
export function daysOf(period: Period, today: string): Days {
  const date = dateOf(today) ?? new Date();
  const back = (days: number) => dayOf(addDays(date, -days));
  switch (period) {
    case 'today':
      return { dateFrom: today, dateTo: today };
    case 'yesterday':
      return { dateFrom: back(1), dateTo: back(1) };
    case 'month':
      return { dateFrom: `${today.slice(0, 8)}01`, dateTo: today };
    case 'lastMonth': {
      const last = addDays(new Date(date.getFullYear(), date.getMonth(), 1), -1);
      return { dateFrom: `${dayOf(last).slice(0, 8)}01`, dateTo: dayOf(last) };
    }
    default:
      return { dateFrom: back(Number(period) - 1), dateTo: today };
  }
}

/** The period of some days; '' if they are none. */
export function periodOf({ dateFrom, dateTo }: Days, today: string): Period | '' {
  const found = PERIODS.find((period) => {
    const days = daysOf(period, today);
    return days.dateFrom === dateFrom && days.dateTo === dateTo;
  });
  return found ?? '';
}
