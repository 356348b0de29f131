import { isDay } from '@/lib/dates';
import { isTime } from '@/lib/hours';

/** A day off of the company, as a line of the setting `ownHolidays` (rules/hours §4). */
export interface OwnDay {
  date: string;
  name: string;
  /** Empty: closed all day. */
  startTime: string;
  endTime: string;
}

const LINE = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})-(\d{2}:\d{2}))? (.+)$/;

/** The days of the setting, by date; lines that are none are left out. */
export const daysOf = (text: string): OwnDay[] =>
  text.split('\n').flatMap((line) => {
    const found = LINE.exec(line.trim());
    if (!found) return [];
    const [, date = '', startTime = '', endTime = '', name = ''] = found;
    return [{ date, name, startTime, endTime }];
  });

const lineOf = ({ date, name, startTime, endTime }: OwnDay) =>
  `${date}${startTime && ` ${startTime}-${endTime}`} ${name.trim()}`;

/** The setting's text with a day more, which takes the place of the same date. */
export const withDay = (text: string, day: OwnDay): string =>
  [...daysOf(text).filter(({ date }) => date !== day.date), day]
    .sort((left, right) => left.date.localeCompare(right.date))
    .map(lineOf)
    .join('\n');

export const withoutDay = (text: string, gone: string): string =>
  daysOf(text)
    .filter(({ date }) => date !== gone)
    .map(lineOf)
    .join('\n');

/** The key of what is wrong with a day; null if it can be added. */
export function dayFault({ date, name, startTime, endTime }: OwnDay): string | null {
  if (!isDay(date)) return 'holidays.faults.date';
  if (!name.trim()) return 'holidays.faults.name';
  if (!startTime && !endTime) return null;
  return isTime(startTime) && isTime(endTime) && startTime < endTime
    ? null
    : 'holidays.faults.times';
}
