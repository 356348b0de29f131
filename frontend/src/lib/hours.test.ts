import { describe, expect, it } from 'vitest';
import {
  closedDay,
  completeHours,
  copyHours,
  defaultHours,
  hoursErrors,
  isClosedDay,
  isOvernight,
  nextPeriod,
  normaliseTime,
  periodsOverlap,
  refusedHours,
  shiftTime,
  WEEKDAYS,
  WORKDAYS,
  type ScheduleRow,
} from './hours';

const row = (startTime: string, endTime: string, weekdayEn = 'monday'): ScheduleRow => ({
  weekday: 'Segunda-feira',
  weekdayEn,
  startTime,
  endTime,
});

describe('hours', () => {
  it('begin with the weekdays, a short Saturday, a closed Sunday and no break', () => {
    const rows = defaultHours();
    expect(rows.map(({ weekdayEn }) => weekdayEn)).toEqual([...WEEKDAYS, 'lunchTime']);
    expect(rows.map(({ startTime, endTime }) => `${startTime}-${endTime}`)).toEqual([
      ...Array<string>(5).fill('08:00-18:00'),
      '08:00-12:00',
      '00:00-00:00',
      '-',
    ]);
  });

  it('are completed in their order, and what was given stays', () => {
    const friday = row('09:00', '17:00', 'friday');
    const rows = completeHours([friday]);
    expect(rows).toHaveLength(8);
    expect(rows[4]).toBe(friday);
    expect(rows[0]).toMatchObject({ weekday: 'Segunda-feira', startTime: '', endTime: '' });
  });

  it('are closed with equal times; without times they do not restrict', () => {
    expect(isClosedDay(closedDay(row('08:00', '18:00')))).toBe(true);
    expect(isClosedDay(row('09:00', '09:00'))).toBe(true);
    expect(isClosedDay(row('', ''))).toBe(false);
    expect(isClosedDay(row('12:00', '12:00', 'lunchTime'))).toBe(false);
  });

  it('go on after midnight when they end before they begin', () => {
    expect(isOvernight(row('18:00', '02:00'))).toBe(true);
    expect(isOvernight(row('08:00', '18:00'))).toBe(false);
    expect(isOvernight(row('08:00', ''))).toBe(false);
  });

  it('copy to other days and leave the rest', () => {
    const rows = copyHours(defaultHours(), row('07:00', '16:00'), WORKDAYS);
    expect(rows[4]).toMatchObject({ weekdayEn: 'friday', startTime: '07:00', endTime: '16:00' });
    expect(rows[6]).toMatchObject({ startTime: '00:00', endTime: '00:00' });
  });
});

it.each([
  ['8', '08:00'],
  ['830', '08:30'],
  ['1830', '18:30'],
  ['8h', '08:00'],
  ['8h30', '08:30'],
  [' 8.5 ', '08:05'],
  ['08:30', '08:30'],
  ['24:00', '24:00'],
  ['2560', '2560'],
  ['meio-dia', 'meio-dia'],
  ['', ''],
])('reads %j as %j', (typed, time) => {
  expect(normaliseTime(typed)).toBe(time);
});

it('shifts a time round the clock', () => {
  expect(shiftTime('08:00', 15)).toBe('08:15');
  expect(shiftTime('00:00', -15)).toBe('23:45');
  expect(shiftTime('23:50', 15)).toBe('00:05');
  expect(shiftTime('', 15)).toBe('');
});

it('finds times that are none and one without the other', () => {
  const rows = [row('08:00', '18:00'), row('', ''), row('8', '18:00'), row('08:00', '')];
  expect(hoursErrors(rows)).toEqual({
    2: { startTime: 'hours.invalid' },
    3: { endTime: 'hours.both' },
  });
});

it('brings a refusal to its row', () => {
  const fields = { 'schedules.2.endTime': ['Informe.'], name: ['Outro.'], schedules: ['Todos.'] };
  expect(refusedHours(fields)).toEqual({ 2: { endTime: 'Informe.' } });
});

describe('further periods', () => {
  const more = (startTime: string, endTime: string) => ({
    ...row('08:00', '12:00'),
    morePeriods: [{ startTime, endTime }],
  });

  it('may not overlap, and need both times', () => {
    expect(periodsOverlap(row('08:00', '12:00'))).toBe(false);
    expect(periodsOverlap(more('12:00', '18:00'))).toBe(false);
    expect(periodsOverlap(more('20:00', '02:00'))).toBe(false);
    expect(periodsOverlap(more('11:00', '18:00'))).toBe(true);
    expect(periodsOverlap(more('13:00', '13:00'))).toBe(true);
    expect(periodsOverlap(more('13:00', ''))).toBe(true);
    expect(hoursErrors([more('11:00', '18:00')])[0]?.startTime).toBe('hours.overlap');
    expect(hoursErrors([more('13:00', '')])[0]?.startTime).toBe('hours.invalid');
  });

  it('go with the day when it is copied, and with nothing when it is closed', () => {
    const [monday] = copyHours([row('09:00', '10:00')], more('13:00', '18:00'), WORKDAYS);
    expect(monday?.morePeriods).toEqual([{ startTime: '13:00', endTime: '18:00' }]);
    expect(closedDay(more('13:00', '18:00')).morePeriods).toEqual([]);
    expect('morePeriods' in closedDay(row('08:00', '12:00'))).toBe(false);
  });
});

it('proposes a further period after a break, within the day', () => {
  expect(nextPeriod(row('08:00', '12:00'))).toEqual({ startTime: '13:00', endTime: '17:00' });
  expect(nextPeriod(row('08:00', '21:00'))).toEqual({ startTime: '22:00', endTime: '23:59' });
  for (const end of ['23:30', '', 'x'])
    expect(nextPeriod(row('08:00', end))).toEqual({ startTime: '', endTime: '' });
});
