import { expect, test } from 'vitest';
import { todayIn } from '@/lib/dates';
import { askedOf, daysOf, faultsOf, firstFilters, hourIn, withType } from './filters';

// 22:30 of 30 April in São Paulo.
const NOW = new Date('2026-05-01T01:30:00Z');

test('the first days are the month of the company’s clock', () => {
  const filters = firstFilters('America/Sao_Paulo', NOW);
  expect(filters).toEqual({ type: 'date', from: '2026-04-01', to: '2026-04-30', days: '' });
  expect(firstFilters('UTC', NOW)).toMatchObject({ from: '2026-05-01', to: '2026-05-01' });
});

test('day and hour are those of a zone', () => {
  expect(todayIn('America/Sao_Paulo', NOW)).toBe('2026-04-30');
  expect(hourIn('America/Sao_Paulo', NOW)).toBe('22:00');
  expect(hourIn('UTC', new Date('2026-05-01T00:10:00Z'))).toBe('00:00');
});

test('dates and periods put each other back', () => {
  const dates = firstFilters('UTC', NOW);
  const period = withType(dates, 'period');
  expect(period).toEqual({ type: 'period', from: '', to: '', days: '' });
  expect(withType({ ...period, days: '30' }, 'date')).toMatchObject({ type: 'date', days: '' });
});

test('what names nothing asks for nothing', () => {
  const none = withType(firstFilters('UTC', NOW), 'period');
  expect(askedOf(none)).toBeNull();
  expect(askedOf({ ...none, days: '7' })).toEqual({ date_from: '', date_to: '', days: '7' });
  expect(askedOf({ ...none, to: '2026-04-30' })).toMatchObject({ date_to: '2026-04-30' });
});

test('a date that is none, and an end before the beginning, are faults', () => {
  const dates = firstFilters('UTC', NOW);
  expect(faultsOf(dates)).toEqual({ from: undefined, to: undefined });
  expect(faultsOf({ ...dates, from: '31/02' })).toEqual({ from: 'noDay', to: undefined });
  expect(faultsOf({ ...dates, to: '2026-04-01' })).toEqual({ from: undefined, to: 'reversed' });
  expect(faultsOf({ ...dates, from: '', to: '2026-04-01' }).to).toBeUndefined();
});

test('the days of a query are known where it has a beginning', () => {
  const asked = { date_from: '', date_to: '', days: '' };
  const of = (change: Partial<typeof asked>) =>
    daysOf({ ...asked, ...change }, 'America/Sao_Paulo', NOW);
  expect(of({})).toBeNull();
  expect(of({ date_to: '2026-04-02' })).toBeNull();
  expect(of({ days: '7' })).toEqual({ dateFrom: '2026-04-24', dateTo: '2026-04-30' });
  expect(of({ date_from: '2026-04-02' })).toEqual({ dateFrom: '2026-04-02', dateTo: '2026-04-30' });
  expect(of({ date_from: '2026-04-29', days: '7' })?.dateFrom).toBe('2026-04-29');
});
