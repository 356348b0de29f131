import { expect, test } from 'vitest';
import { dayOf } from '@/lib/dates';
import { isPast, scheduleSchema } from './schemas';
import { agendaDay, byDay, momentOnDay, rangeOf, readView, step, titleOf } from './view';

const saturday = new Date(2026, 10, 21);
const now = new Date(2026, 10, 21, 19, 30);

test('an address says what is shown, nonsense in it shows this month', () => {
  const read = (query: string, narrow = false) => readView(new URLSearchParams(query), narrow, now);
  expect(read('view=week&date=2026-12-24&status=ERRO')).toEqual({
    view: 'week',
    date: new Date(2026, 11, 24),
    status: 'ERRO',
  });
  expect(read('view=ano&date=2026-02-31&status=OUTRO')).toEqual({
    view: 'month',
    date: saturday,
    status: '',
  });
  expect(read('', true).view).toBe('agenda');
  expect(read('view=week', true).view).toBe('agenda');
  expect(read('view=month', true).view).toBe('agenda');
});

test('a month shows its weeks whole', () => {
  const { start, end } = rangeOf('month', saturday, 0);
  expect([dayOf(start), dayOf(end)]).toEqual(['2026-11-01', '2026-12-06']);
  const spanish = rangeOf('month', saturday, 1);
  expect([dayOf(spanish.start), dayOf(spanish.end)]).toEqual(['2026-10-26', '2026-12-07']);
});

test('a week begins on the first day of the language, a day is one day', () => {
  expect(dayOf(rangeOf('week', saturday, 0).start)).toBe('2026-11-15');
  expect(dayOf(rangeOf('week', saturday, 1).start)).toBe('2026-11-16');
  expect(dayOf(rangeOf('day', saturday, 0).end)).toBe('2026-11-22');
  const agenda = rangeOf('agenda', saturday, 0);
  expect([dayOf(agenda.start), dayOf(agenda.end)]).toEqual(['2026-11-01', '2026-12-01']);
});

test('a step from the end of a month never skips one', () => {
  expect(dayOf(step('month', new Date(2026, 0, 31), 1))).toBe('2026-02-01');
  expect(dayOf(step('week', saturday, -1))).toBe('2026-11-14');
  expect(dayOf(step('day', saturday, 1))).toBe('2026-11-22');
});

test('titles are in the language of the reader', () => {
  expect(titleOf('month', saturday, 'pt-BR', 0)).toBe('novembro de 2026');
  expect(titleOf('day', saturday, 'pt-BR', 0)).toBe('sábado, 21 de novembro de 2026');
  expect(titleOf('week', saturday, 'en', 0)).toContain('Nov 15');
});

test.each([
  ['pt-BR', '05/11 qui'],
  ['en', '05/11 Thu'],
  ['es', '05/11 jue'],
])('the list by day names a day in %s as DD/MM and its weekday', (language, words) => {
  expect(agendaDay(new Date(2026, 10, 5), language)).toBe(words);
});

test('rows are grouped by the day of the browser', () => {
  const rows = ['2026-11-22T13:00:00', '2026-11-21T13:00:00', '2026-11-22T08:00:00'].map(
    (sendAt) => ({ sendAt }),
  );
  expect(byDay(rows).map(({ day, rows: all }) => [day, all.length])).toEqual([
    ['2026-11-21', 1],
    ['2026-11-22', 2],
  ]);
});

test('a click on a day plans for its morning, today for in one hour, a past one for never', () => {
  expect(momentOnDay(new Date(2026, 10, 25), now)).toEqual(new Date(2026, 10, 25, 9));
  expect(momentOnDay(saturday, now)).toEqual(new Date(2026, 10, 21, 20, 30));
  expect(momentOnDay(new Date(2026, 10, 20), now)).toBeNull();
});

test('the form asks for everything in words', () => {
  const check = (fields: object) =>
    scheduleSchema
      .safeParse({
        contact: { id: 1, name: 'Maria' },
        body: 'Bom dia, Maria',
        date: '2026-11-21',
        time: '20:30',
        ...fields,
      })
      .error?.issues.map(({ path, message }) => [path[0], message]);
  expect(check({})).toBeUndefined();
  expect(check({ contact: null })).toEqual([['contact', 'schedules:errors.required']]);
  expect(check({ body: 'Oi  ' })).toEqual([['body', 'schedules:errors.tooShort']]);
  expect(check({ body: ' ' })?.[0]).toEqual(['body', 'schedules:errors.required']);
  expect(check({ date: '', time: '' })).toEqual([
    ['date', 'schedules:errors.required'],
    ['time', 'schedules:errors.required'],
  ]);
  expect(check({ date: '31/02/2027', time: '25:00' })).toEqual([
    ['date', 'common:date.impossible'],
    ['time', 'common:hours.invalid'],
  ]);
});

test('a moment is past only after the minutes of grace', () => {
  expect(isPast(new Date(2026, 10, 21, 19, 29), now)).toBe(false);
  expect(isPast(new Date(2026, 10, 21, 19, 27), now)).toBe(true);
});
