import { expect, test } from 'vitest';
import {
  askedActivity,
  askedConversations,
  askedFigures,
  conversationsPath,
  daysOf,
  periodOf,
  PERIODS,
  searchOf,
  tabOf,
} from './search';

const of = (query: string) => searchOf(new URLSearchParams(query));

test('the address tells the filters, and a wrong tab is the summary', () => {
  const search = of('userId=4&band=1h&other=x');
  expect(search).toMatchObject({ userId: '4', band: '1h', queueId: '' });
  expect(search).not.toHaveProperty('other');
  expect(tabOf(new URLSearchParams('tab=activity'))).toBe('activity');
  expect(tabOf(new URLSearchParams('tab=nothing'))).toBe('summary');
});

test('each call is asked for what it knows, and for no day that is half typed', () => {
  const search = of('dateFrom=2026-06-01&dateTo=2026-06-3&queueId=0&clock=open&band=5m&rating=any');
  expect(askedFigures(search)).toEqual({ dateFrom: '2026-06-01', queueId: '0', clock: 'open' });
  expect(askedConversations(search)).toMatchObject({ band: '5m', rating: 'any' });
  expect(askedActivity(search)).toEqual({ dateFrom: '2026-06-01' });
});

test('a figure keeps the filters and takes the place of another figure', () => {
  const path = conversationsPath(of('queueId=3&band=5m&reason=Venda'), { weekday: '1', hour: '9' });
  expect(path).toBe('/reports?tab=conversations&queueId=3&weekday=1&hour=9');
});

test('days and periods name each other', () => {
  const today = '2026-03-01';
  expect(daysOf('yesterday', today)).toEqual({ dateFrom: '2026-02-28', dateTo: '2026-02-28' });
  expect(daysOf('7', today)).toEqual({ dateFrom: '2026-02-23', dateTo: today });
  expect(daysOf('lastMonth', today)).toEqual({ dateFrom: '2026-02-01', dateTo: '2026-02-28' });
  expect(daysOf('lastMonth', '2026-01-15').dateFrom).toBe('2025-12-01');
  for (const period of PERIODS) {
    const days = daysOf(period, '2026-05-20');
    expect(periodOf(days, '2026-05-20')).toBe(period);
  }
  expect(periodOf({ dateFrom: '2026-02-03', dateTo: today }, today)).toBe('');
});
