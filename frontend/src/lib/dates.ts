/** Calendar days as 'YYYY-MM-DD' and times as 'HH:mm', in the browser's time zone. */

const two = (value: number) => String(value).padStart(2, '0');

/** Formats a moment as YYYY-MM-DD. */
export const dayOf = (date: Date) =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Today's date in a time zone. */
export const todayIn = (zone: string, now: Date = new Date()) =>
  // The Canadian format is YYYY-MM-DD.
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);

/** Formats a moment as HH:mm. */
export const clockOf = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

export const midnight = (date: Date) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate());

export const addDays = (date: Date, days: number) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** Returns midnight of 'YYYY-MM-DD'; null for any other text and for a day that does not exist. */
export function dateOf(day: string | null): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  const found = new Date(Number(year), Number(month) - 1, Number(date));
  return day && dayOf(found) === day ? found : null;
}

export const isDay = (text: string) => dateOf(text) !== null;

/** Combines a day and a time into a moment; null if either is invalid. */
export function momentOf(day: string, time: string): Date | null {
  const date = dateOf(day);
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (!date || hour === undefined) return null;
  date.setHours(Number(hour), Number(minute));
  return date;
}

/** The first day of the week in a language: Sunday (0), but Monday (1) in Spanish. */
export const firstDayOf = (language: string) => (language === 'es' ? 1 : 0);

/**
 * Reads '5/12/2026', '5-12-26', '05122026' or '5/12' (of this year) as 'YYYY-MM-DD'. The day comes
 * before the month, as on all pages. Returns null if there is no such day.
 */
export function readDay(typed: string, now: Date = new Date()): string | null {
  const text = typed.trim();
  if (isDay(text)) return text;
  const found =
    /^(\d{1,2})(?:\s*[/.-]\s*|\s+)(\d{1,2})(?:(?:\s*[/.-]\s*|\s+)(\d{4}|\d{2}))?$/.exec(text) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text);
  if (!found) return null;
  const [, date = '', month = '', year = String(now.getFullYear())] = found;
  const day = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : null;
}

/**
 * Adds months to a date (negative: subtracts); uses the last day of the month if the month is too
 * short.
 */
export function addMonths(date: Date, months: number): Date {
  const last = new Date(date.getFullYear(), date.getMonth() + months + 1, 0);
  return date.getDate() < last.getDate() ? addDays(last, date.getDate() - last.getDate()) : last;
}

/** The days of a month as weeks; null for the days of the neighbouring months. */
export function weeksOf(month: Date, firstDay: number): (Date | null)[][] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1);
  const count = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  const before = (first.getDay() - firstDay + 7) % 7;
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => {
      const place = week * 7 + index - before;
      return place >= 0 && place < count ? addDays(first, place) : null;
    }),
  );
}
