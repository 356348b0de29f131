/** The hours of one weekday, or of the break; empty times do not restrict. */
export interface ScheduleRow {
  weekday: string;
  weekdayEn: string;
  /** 'HH:MM' or ''. */
  startTime: string;
  endTime: string;
  /** Further periods of the day; none where it is missing. */
  morePeriods?: Period[];
}

export interface Period {
  startTime: string;
  endTime: string;
}

/** The most periods of a day after the first. */
export const MOST_MORE = 5;

export const LUNCH = 'lunchTime';
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export const WORKDAYS: readonly string[] = WEEKDAYS.slice(0, 5);

/** The names of the days on the wire; screens use translated ones. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  monday: 'Segunda-feira',
  tuesday: 'Terça-feira',
  wednesday: 'Quarta-feira',
  thursday: 'Quinta-feira',
  friday: 'Sexta-feira',
  saturday: 'Sábado',
  sunday: 'Domingo',
  [LUNCH]: 'Horário de almoço',
};
const CLOSED_AT = '00:00';
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const MINUTES_OF_DAY = 24 * 60;

/** The hours a company starts with (rules/hours §2). */
export function defaultHours(): ScheduleRow[] {
  return completeHours(
    WORKDAYS.map((day) => rowOf(day, '08:00', '18:00')).concat(
      rowOf('saturday', '08:00', '12:00'),
      rowOf('sunday', CLOSED_AT, CLOSED_AT),
    ),
  );
}

const rowOf = (weekdayEn: string, startTime: string, endTime: string): ScheduleRow => ({
  weekday: WIRE_NAMES[weekdayEn] ?? weekdayEn,
  weekdayEn,
  startTime,
  endTime,
});

/** All seven days and the break, in order; missing rows are added without restriction. */
export function completeHours(rows: readonly ScheduleRow[]): ScheduleRow[] {
  return [...WEEKDAYS, LUNCH].map(
    (day) => rows.find(({ weekdayEn }) => weekdayEn === day) ?? rowOf(day, '', ''),
  );
}

/** A closed day: both times are equal (rules/hours §2). */
export const isClosedDay = ({ startTime, endTime, weekdayEn }: ScheduleRow) =>
  weekdayEn !== LUNCH && startTime !== '' && startTime === endTime;

/** Returns the day with the times that close it. */
export const closedDay = (row: ScheduleRow): ScheduleRow => ({
  ...row,
  startTime: CLOSED_AT,
  endTime: CLOSED_AT,
  ...(row.morePeriods && { morePeriods: [] }),
});

export const isTime = (text: string) => TIME.test(text);

/** Whether the hours pass midnight: they end before they begin. */
export const isOvernight = ({ startTime, endTime }: ScheduleRow) =>
  isTime(startTime) && isTime(endTime) && endTime < startTime;

/** Reads '8', '830', '8h30' or '8.30' as 'HH:MM'; other text stays unchanged. */
export function normaliseTime(typed: string): string {
  const text = typed.trim().toLowerCase();
  const found =
    /^(\d{1,2})(?:\s*[:h.,]\s*(?:(\d{1,2})\s*)?(?:m|min)?)?$/.exec(text) ??
    /^(\d{1,2})(\d{2})$/.exec(text);
  if (!found) return typed.trim();
  const time = `${(found[1] ?? '').padStart(2, '0')}:${(found[2] ?? '').padStart(2, '0')}`;
  return isTime(time) ? time : typed.trim();
}

/** Adds minutes to a time, modulo 24 hours; returns an invalid time unchanged. */
export function shiftTime(time: string, minutes: number): string {
  if (!isTime(time)) return time;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const total = (hour * 60 + minute + minutes + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${digits(Math.floor(total / 60))}:${digits(total % 60)}`;
}

/** Errors by the row's index: keys of the common texts, or sentences. */
export type HoursErrors = Readonly<
  Record<number, Partial<Record<'startTime' | 'endTime', string>> | undefined>
>;

/** Finds invalid times, and rows with only one of the two times. */
export function hoursErrors(rows: readonly ScheduleRow[]): HoursErrors {
  const errors: Record<number, Partial<Record<'startTime' | 'endTime', string>>> = {};
  rows.forEach(({ startTime, endTime }, index) => {
    const row: Partial<Record<'startTime' | 'endTime', string>> = {};
    if (startTime && !isTime(startTime)) row.startTime = 'hours.invalid';
    if (endTime && !isTime(endTime)) row.endTime = 'hours.invalid';
    if (startTime && !endTime) row.endTime = 'hours.both';
    if (endTime && !startTime) row.startTime = 'hours.both';
    if (!row.startTime && !row.endTime && periodsOverlap(rows[index]))
      row.startTime = isUntimed(rows[index]) ? 'hours.invalid' : 'hours.overlap';
    if (Object.keys(row).length > 0) errors[index] = row;
  });
  return errors;
}

const minuteOf = (time: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
};

/** Whether a further period of a day lacks a time. */
const isUntimed = (row: ScheduleRow | undefined) =>
  row?.morePeriods?.some((each) => !isTime(each.startTime) || !isTime(each.endTime)) ?? false;

const GAP_MINUTES = 60;
const LONGEST_NEXT = 4 * 60;

/** A further period to begin with: after an hour's break, within the day; empty if it is over. */
export function nextPeriod(row: ScheduleRow): Period {
  const { endTime } = row.morePeriods?.at(-1) ?? row;
  const start = minuteOf(endTime) + GAP_MINUTES;
  const length = Math.min(LONGEST_NEXT, MINUTES_OF_DAY - 1 - start);
  if (!isTime(endTime) || length <= 0) return { startTime: '', endTime: '' };
  const startTime = shiftTime(endTime, GAP_MINUTES);
  return { startTime, endTime: shiftTime(startTime, length) };
}

/** Whether periods of a day overlap, or a further one is no period. */
export function periodsOverlap(row: ScheduleRow | undefined): boolean {
  const more = row?.morePeriods ?? [];
  if (!row || more.length === 0) return false;
  const windows = [row, ...more].map(({ startTime, endTime }) => {
    const [start, end] = [minuteOf(startTime), minuteOf(endTime)];
    return {
      start,
      end: end > start ? end : end + MINUTES_OF_DAY,
      isTime: isTime(startTime) && isTime(endTime) && start !== end,
    };
  });
  if (windows.some((each) => !each.isTime)) return true;
  windows.sort((left, right) => left.start - right.start);
  return windows.some(({ start }, index) => index > 0 && start < (windows[index - 1]?.end ?? 0));
}

/** Reads the errors of rows from a refusal, whose fields are named like 'schedules.2.startTime'. */
export function refusedHours(
  fields: Readonly<Record<string, readonly string[]>>,
  prefix = 'schedules',
): HoursErrors {
  const errors: Record<number, Partial<Record<'startTime' | 'endTime', string>>> = {};
  for (const [field, [sentence]] of Object.entries(fields)) {
    const [root, index, name] = field.split('.');
    if (root !== prefix || index === undefined || sentence === undefined) continue;
    const place = name === 'endTime' ? 'endTime' : 'startTime';
    errors[Number(index)] = { ...errors[Number(index)], [place]: sentence };
  }
  return errors;
}

/** Copies the hours of one row to other days; closed days become open. */
export const copyHours = (
  rows: readonly ScheduleRow[],
  from: ScheduleRow,
  days: readonly string[],
): ScheduleRow[] =>
  rows.map((row) =>
    days.includes(row.weekdayEn)
      ? {
          ...row,
          startTime: from.startTime,
          endTime: from.endTime,
          ...((row.morePeriods ?? from.morePeriods) && { morePeriods: from.morePeriods ?? [] }),
        }
      : row,
  );
