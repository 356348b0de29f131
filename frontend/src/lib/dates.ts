/** Calendar days as 'YYYY-MM-DD' and times as 'HH:mm', on the clock of this browser. */

const two = (value: number) => String(value).padStart(2, '0');

/** YYYY-MM-DD of a moment. */
export const dayOf = (date: Date) =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** HH:mm of a moment. */
export const clockOf = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

export const midnight = (date: Date) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate());

export const addDays = (date: Date, days: number) =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** Midnight of 'YYYY-MM-DD'; null for another text and for a day that no calendar has. */
export function dateOf(day: string | null): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  const found = new Date(Number(year), Number(month) - 1, Number(date));
  return day && dayOf(found) === day ? found : null;
}

export const isDay = (text: string) => dateOf(text) !== null;

/** The moment that a day and a time name; null when they name none. */
export function momentOf(day: string, time: string): Date | null {
  const date = dateOf(day);
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (!date || hour === undefined) return null;
  date.setHours(Number(hour), Number(minute));
  return date;
}

/** The first day of the week of a language: Sunday (0), Monday (1) in Spanish. */
export const firstDayOf = (language: string) => (language === 'es' ? 1 : 0);

/**
 * What a person means by '5/12/2026', '5-12-26', '05122026' or '5/12', which is of this year, as
 * 'YYYY-MM-DD': the day comes first, as everywhere on our pages. Null when there is no such day.
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

/** The same day some months later or earlier, or the last one of a month that is too short. */
export function addMonths(date: Date, months: number): Date {
  const last = new Date(date.getFullYear(), date.getMonth() + months + 1, 0);
  return date.getDate() < last.getDate() ? addDays(last, date.getDate() - last.getDate()) : last;
}

/** The days of a month in its weeks; null where another month's would stand. */
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
