import type { ListFilters, RangeFilters, Schedule, SchedulePage, SchedulePages } from './types';

const momentOf = (schedule: Schedule) => Date.parse(schedule.sendAt);

/**
 * Whether a schedule matches the filters; undefined for a text search, which only the server can
 * match.
 */
export function belongs(
  schedule: Schedule,
  filters: ListFilters | RangeFilters,
): boolean | undefined {
  if (filters.status && schedule.status !== filters.status) return false;
  if ('start' in filters) {
    const moment = momentOf(schedule);
    if (moment < Date.parse(filters.start) || moment >= Date.parse(filters.end)) return false;
  }
  return filters.search ? undefined : true;
}

/** Earliest first, or latest first with `backwards`. */
function compare(left: Schedule, right: Schedule, backwards: boolean): number {
  const difference = momentOf(left) - momentOf(right) || left.id - right.id;
  return backwards ? -difference : difference;
}

const without = (rows: Schedule[], id: number) => rows.filter((row) => row.id !== id);

export function dropFromRange(range: SchedulePage, id: number): SchedulePage {
  if (!range.schedules.some((row) => row.id === id)) return range;
  return { ...range, schedules: without(range.schedules, id), count: range.count - 1 };
}

/**
 * Inserts a schedule into a calendar's period in order; a version older than the cached one is
 * ignored.
 */
export function foldIntoRange(
  range: SchedulePage,
  schedule: Schedule,
  filters: RangeFilters,
): SchedulePage {
  const known = range.schedules.find(({ id }) => id === schedule.id);
  if (known && known.updatedAt > schedule.updatedAt) return range;
  const wanted = belongs(schedule, filters);
  if (wanted === false) return dropFromRange(range, schedule.id);
  if (!known && wanted === undefined) return range;
  const schedules = [...without(range.schedules, schedule.id), schedule];
  schedules.sort((left, right) => compare(left, right, false));
  return { ...range, schedules, count: range.count + (known ? 0 : 1) };
}

const mapPages = (
  pages: SchedulePages,
  change: (rows: Schedule[]) => Schedule[],
  difference = 0,
): SchedulePages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    schedules: change(page.schedules),
    count: Math.max(0, page.count + difference),
  })),
});

export function dropFromPages(pages: SchedulePages, id: number): SchedulePages {
  if (!pages.pages.some(({ schedules }) => schedules.some((row) => row.id === id))) return pages;
  return mapPages(pages, (rows) => without(rows, id), -1);
}

/** Inserts a schedule into a list in order; beyond the loaded pages only the count changes. */
export function foldIntoPages(
  pages: SchedulePages,
  schedule: Schedule,
  filters: ListFilters,
): SchedulePages {
  const known = pages.pages
    .flatMap(({ schedules }) => schedules)
    .find(({ id }) => id === schedule.id);
  if (known && known.updatedAt > schedule.updatedAt) return pages;
  const wanted = belongs(schedule, filters);
  if (wanted === false) return dropFromPages(pages, schedule.id);
  if (!known && wanted === undefined) return pages;
  const backwards = filters.status !== 'PENDENTE' && filters.status !== 'AGENDADA';
  const cleared = mapPages(pages, (rows) => without(rows, schedule.id), known ? 0 : 1);
  const last = cleared.pages.length - 1;
  const place = cleared.pages.findIndex(({ schedules }) => {
    const end = schedules.at(-1);
    return end !== undefined && compare(schedule, end, backwards) < 0;
  });
  if (place < 0 && cleared.pages[last]?.hasMore) return cleared;
  return {
    ...cleared,
    pages: cleared.pages.map((page, index) =>
      index === (place < 0 ? last : place)
        ? {
            ...page,
            schedules: [...page.schedules, schedule].sort((left, right) =>
              compare(left, right, backwards),
            ),
          }
        : page,
    ),
  };
}
