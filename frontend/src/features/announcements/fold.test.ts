import { expect, test } from 'vitest';
import { foldAnnouncement, type AnnouncementPages } from './fold';
import type { Announcement } from './types';

const made = (id: number, fields: Partial<Announcement> = {}): Announcement => ({
  id,
  title: `Novidade ${id}`,
  text: 'Texto',
  priority: 3,
  status: true,
  mediaPath: null,
  mediaName: null,
  mediaMime: null,
  mediaSize: null,
  createdAt: `2026-01-0${id}T12:00:00Z`,
  updatedAt: `2026-01-0${id}T12:00:00Z`,
  ...fields,
});

const pages = (hasMore: boolean, ...ids: number[][]): AnnouncementPages => ({
  pages: ids.map((each, index) => ({
    records: each.map((id) => made(id)),
    count: 9,
    hasMore: hasMore || index < ids.length - 1,
  })),
  pageParams: ids.map((_, index) => index + 1),
});

const idsOf = (data: AnnouncementPages) =>
  data.pages.map(({ records }) => records.map(({ id }) => id));

test('a new one stands first', () => {
  const data = foldAnnouncement(pages(false, [5, 4], [3]), { action: 'create', record: made(6) });
  expect(idsOf(data)).toEqual([[6, 5, 4], [3]]);
});

test('one that is active again stands where it was written', () => {
  const back = { action: 'update', record: made(2) } as const;
  expect(idsOf(foldAnnouncement(pages(false, [5, 3], [1]), back))).toEqual([
    [5, 3],
    [2, 1],
  ]);
  expect(idsOf(foldAnnouncement(pages(false, [5, 3]), back))).toEqual([[5, 3, 2]]);
});

test('one beyond what is loaded waits for its page', () => {
  const old = { action: 'update', record: made(1) } as const;
  expect(idsOf(foldAnnouncement(pages(true, [5, 4]), old))).toEqual([[5, 4]]);
});

test('a change takes the place of what was known, an older one none', () => {
  const record = made(4, { title: 'Adiada', updatedAt: '2026-02-01T12:00:00Z' });
  const changed = foldAnnouncement(pages(false, [5, 4]), { action: 'update', record });
  expect(changed.pages[0]?.records[1]?.title).toBe('Adiada');
  expect(foldAnnouncement(changed, { action: 'update', record: made(4) })).toBe(changed);
});

test('one that is gone leaves its page', () => {
  expect(idsOf(foldAnnouncement(pages(false, [5, 4], [3]), { action: 'delete', id: 4 }))).toEqual([
    [5],
    [3],
  ]);
});
