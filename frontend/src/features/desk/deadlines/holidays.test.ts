import { expect, test } from 'vitest';
import { dayFault, daysOf, withDay, withoutDay } from './holidays';

const TEXT = '2026-12-24 08:00-12:00 Véspera de Natal\n2026-12-28 Recesso';
const day = { date: '2026-12-26', name: 'Ponte', startTime: '', endTime: '' };

test('days are read and written as the setting has them', () => {
  expect(daysOf(TEXT)).toEqual([
    { date: '2026-12-24', name: 'Véspera de Natal', startTime: '08:00', endTime: '12:00' },
    { date: '2026-12-28', name: 'Recesso', startTime: '', endTime: '' },
  ]);
  expect(withDay(TEXT, day)).toBe(TEXT.replace('\n', '\n2026-12-26 Ponte\n'));
  expect(withoutDay(TEXT, '2026-12-24')).toBe('2026-12-28 Recesso');
  expect(daysOf('')).toEqual([]);
});

test('a day takes the place of the same date', () => {
  const closed = { ...day, date: '2026-12-24', name: 'Fechado' };
  expect(withDay(TEXT, closed)).toBe('2026-12-24 Fechado\n2026-12-28 Recesso');
});

test('a day needs its date, a name, and both times or none', () => {
  expect(dayFault(day)).toBeNull();
  expect(dayFault({ ...day, date: '' })).toBe('holidays.faults.date');
  expect(dayFault({ ...day, name: ' ' })).toBe('holidays.faults.name');
  expect(dayFault({ ...day, startTime: '08:00' })).toBe('holidays.faults.times');
  expect(dayFault({ ...day, startTime: '12:00', endTime: '08:00' })).toBe('holidays.faults.times');
  expect(dayFault({ ...day, startTime: '08:00', endTime: '12:00' })).toBeNull();
});
