import { expect, test } from 'vitest';
import { belongs, dropFromPages, foldIntoPages, foldIntoRange } from './fold';
import type { RangeFilters, Schedule, SchedulePages } from './types';

const schedule = (id: number, sendAt: string, fields: Partial<Schedule> = {}): Schedule => ({
  id,
  body: 'Bom dia!',
  contactId: 1,
  contact: { id: 1, name: 'Maria', number: '5511984321107', profilePicUrl: '' },
  userId: 1,
  user: { id: 1, name: 'Ana' },
  ticketId: null,
  whatsappId: null,
  sendAt,
  sentAt: null,
  status: 'PENDENTE',
  errorCode: '',
  errorReason: '',
  reasonCode: '',
  reasonDetail: '',
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  companyId: 1,
  createdAt: '2026-11-01T00:00:00Z',
  updatedAt: '2026-11-01T00:00:00Z',
  ...fields,
});

const first = schedule(1, '2026-11-10T12:00:00Z');
const second = schedule(2, '2026-11-12T12:00:00Z');
const third = schedule(3, '2026-11-20T12:00:00Z');
const november: RangeFilters = {
  search: '',
  status: '',
  start: '2026-11-01T03:00:00.000Z',
  end: '2026-12-01T03:00:00.000Z',
};
const pagesOf = (hasMore: boolean, ...rows: Schedule[][]): SchedulePages => ({
  pages: rows.map((schedules, index) => ({
    schedules,
    count: 40,
    hasMore: index < rows.length - 1 || hasMore,
  })),
  pageParams: rows.map((_, index) => index + 1),
});
const ids = (pages: SchedulePages) =>
  pages.pages.map(({ schedules }) => schedules.map(({ id }) => id));

test('a new schedule takes its place in the calendar', () => {
  const range = { schedules: [first, third], count: 2, hasMore: false };
  const folded = foldIntoRange(range, second, november);
  expect(folded.schedules).toEqual([first, second, third]);
  expect(folded.count).toBe(3);
});

test('one that moves to another month leaves the calendar', () => {
  const range = { schedules: [first, second], count: 2, hasMore: false };
  const moved = { ...first, sendAt: '2026-12-01T03:00:00Z' };
  expect(foldIntoRange(range, moved, november)).toEqual({
    schedules: [second],
    count: 1,
    hasMore: false,
  });
});

test('older news change nothing', () => {
  const range = {
    schedules: [{ ...first, updatedAt: '2026-11-02T00:00:00Z' }],
    count: 1,
    hasMore: false,
  };
  expect(foldIntoRange(range, { ...first, body: 'Antes' }, november)).toBe(range);
});

test('a status that is filtered away takes the row with it', () => {
  const pages = pagesOf(false, [first, second]);
  const filters = { search: '', status: 'PENDENTE' } as const;
  const sent = { ...first, status: 'ENVIADA' } as const;
  expect(ids(foldIntoPages(pages, sent, filters))).toEqual([[2]]);
  expect(foldIntoPages(pages, sent, filters).pages[0]?.count).toBe(39);
});

test('a list that reads backwards keeps its order when a time changes', () => {
  const pages = pagesOf(false, [third, second], [first]);
  const moved = { ...first, sendAt: '2026-11-15T12:00:00Z' };
  expect(ids(foldIntoPages(pages, moved, { search: '', status: '' }))).toEqual([[3, 1, 2], []]);
});

test('one beyond the loaded pages is only counted', () => {
  const pages = pagesOf(true, [first, second]);
  const folded = foldIntoPages(pages, third, { search: '', status: 'PENDENTE' });
  expect(ids(folded)).toEqual([[1, 2]]);
  expect(folded.pages[0]?.count).toBe(41);
  const whole = pagesOf(false, [first, second]);
  expect(ids(foldIntoPages(whole, third, { search: '', status: 'PENDENTE' }))).toEqual([[1, 2, 3]]);
});

test('a deleted one goes, an unknown one changes nothing', () => {
  const pages = pagesOf(false, [first, second]);
  expect(ids(dropFromPages(pages, 1))).toEqual([[2]]);
  expect(dropFromPages(pages, 9)).toBe(pages);
});

test('what a text search finds is for the server to say', () => {
  expect(belongs(first, { search: 'maria', status: '' })).toBeUndefined();
  const pages = pagesOf(false, [first]);
  expect(foldIntoPages(pages, second, { search: 'maria', status: '' })).toBe(pages);
});
