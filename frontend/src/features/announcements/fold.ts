import type { InfiniteData } from '@tanstack/react-query';
import type { LiveEvent } from '@/lib/api/types';
import type { Announcement, AnnouncementPage } from './types';

export type AnnouncementPages = InfiniteData<AnnouncementPage, number>;

const isNewer = (left: Announcement, right: Announcement) =>
  left.createdAt === right.createdAt ? left.id > right.id : left.createdAt > right.createdAt;

/**
 * The index of the page to which a record belongs, newest first; -1 if it is beyond the loaded
 * pages.
 */
function placeOf(record: Announcement, pages: readonly AnnouncementPage[]): number {
  return pages.findIndex(({ records, hasMore }) => {
    const last = records.at(-1);
    return !hasMore || (last !== undefined && isNewer(record, last));
  });
}

/** Applies an event to the loaded pages; an older state changes nothing. */
export function foldAnnouncement(
  data: AnnouncementPages,
  event: LiveEvent<'announcement'>,
): AnnouncementPages {
  const id = event.action === 'delete' ? event.id : event.record.id;
  const known = data.pages.flatMap(({ records }) => records).find((each) => each.id === id);
  if (event.action !== 'delete' && known && known.updatedAt > event.record.updatedAt) return data;
  const pages = data.pages.map((page) => ({
    ...page,
    records: page.records.filter((each) => each.id !== id),
  }));
  if (event.action === 'delete') return { ...data, pages };
  const { record } = event;
  const page = pages[placeOf(record, pages)];
  if (page) {
    const after = page.records.findIndex((each) => isNewer(record, each));
    page.records.splice(after < 0 ? page.records.length : after, 0, record);
  }
  return { ...data, pages };
}
